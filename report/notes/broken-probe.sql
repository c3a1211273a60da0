-- Probes that a verified kernel of the same device, precision, threads and unit is faster than, even at the slow end of
-- the kernel's interval, and probes that are slower than the same probe on fewer threads. SPDX-License-Identifier: MIT
-- says: The measured \when{what}{peak}{peak}\when{what}{read}{read bandwidth} of the \fact{side},
--   \fact{precision}\iffact{threads}{, \fact{threads}~\plural{threads}{thread}{threads}}\when{tensor}{1}{, tensor
--   cores}, \fact{peak}\iffact{several}{ on one physical machine}, is below \when{cause}{kernel}{the verified
--   \code{idea} at $n = \fact{n}$ (\fact{share}\,\% of it)}\when{cause}{threads}{the \fact{fewer_rate} of
--   \fact{fewer}~\plural{fewer}{thread}{threads}}: the probe is broken, and no share of it is shown.
-- says.ru: \iffact{several}{На одной физической машине \when{what}{peak}{измеренный пик}\when{what}{read}{измеренная
--   скорость чтения}}\nofact{several}{\when{what}{peak}{Измеренный пик}\when{what}{read}{Измеренная скорость чтения}}
--   \fact{side} (\fact{precision}\iffact{threads}{, потоков: \fact{threads}}\when{tensor}{1}{, тензорные ядра}),
--   \fact{peak}, \when{cause}{kernel}{ниже скорости проверенного варианта
--   \code{idea} при $n = \fact{n}$ (\fact{share}\,\% пика)}\when{cause}{threads}{ниже измеренного при меньшем числе
--   потоков, \fact{fewer}: \fact{fewer_rate}}: проба неисправна, и доли от неё не приводятся.
-- facts
WITH used AS (
    SELECT p.host, p.experiment, p.cell, p.of_peak AS ceiling FROM peaks p
    UNION ALL
    SELECT p.host, p.experiment, p.cell, p.of_read FROM peaks p JOIN shown_cell c USING (host, experiment, cell)
    WHERE c.solver),
fault AS (
    SELECT o.rowid AS id, c.host_ord, c.experiment, c.study_ord, o.*, c.threads AS used_threads, c.idea, c.n,
           max(p.executed / o.rate) AS share
    FROM used u JOIN shown_cell c USING (host, experiment, cell) JOIN peaks p USING (host, experiment, cell)
    JOIN ceilings o ON o.rowid = u.ceiling
    WHERE o.broken IS NOT NULL GROUP BY o.rowid),
told AS (
    SELECT f.*, o.threads AS fewer, max(o.rate) AS fewer_rate
    FROM fault f LEFT JOIN ceilings o ON f.broken = 'threads' AND o.host = f.host AND o.machine = f.machine
      AND o.side = f.side AND o.problem = f.problem AND o.precision = f.precision
      AND o.isa IS f.isa AND o.tensor = f.tensor AND o.threads < f.threads
    GROUP BY f.id)
SELECT host, experiment, side, precision, used_threads AS threads, tensor,
       si(rate * 1e9, CASE WHEN problem <> 'fma' THEN 'B/s' WHEN precision GLOB 'i*' THEN 'op/s' ELSE 'FLOP/s' END)
         AS peak,
       iif(broken = 'kernel', idea, NULL) AS idea, iif(broken = 'kernel', n, NULL) AS n,
       iif(broken = 'kernel', sig(100 * share, 4), NULL) AS share, iif(problem = 'fma', 'peak', 'read') AS what,
       broken AS cause, fewer,
       nullif((SELECT count(DISTINCT c.machine) > 1 FROM ceilings c WHERE c.host = told.host), 0) AS several,
       si(fewer_rate * 1e9,
          CASE WHEN problem <> 'fma' THEN 'B/s' WHEN precision GLOB 'i*' THEN 'op/s' ELSE 'FLOP/s' END)
         AS fewer_rate
FROM told ORDER BY host_ord, study_ord, side, precision, threads;
