-- How many sweeps of Gauss-Seidel fit into the source's times on a GPU. SPDX-License-Identifier: MIT
-- problems: seidel
-- caption: How many sweeps fit into the source's GPU times, in milliseconds (columns p). \emph{As Jacobi}: one sweep
--   of its Jacobi, if that made as many as Jacobi's method needs; \emph{as Seidel}: likewise for its Seidel;
--   \emph{ours}: one sweep of cuda-racy
-- caption.ru: Сколько итераций помещается во времена GPU источника, мс (столбцы ист.). \emph{Как Якоби}: одна
--   итерация его метода Якоби при нужном методу числе итераций; \emph{как Зейдель}: то же для метода Зейделя;
--   \emph{наша}: итерация cuda-racy
--
-- The source does not tell how many sweeps its Jacobi made. The window of expected sweeps stands for this number. The
-- source's numbers are the same for all hosts: without a host that ran cuda-racy, the first host shows them.
-- group
WITH jacobi AS (SELECT n, iterations_low AS low, iterations_high AS high FROM expected
                WHERE problem = 'jacobi' AND omega = 1),
-- A window that holds at both ends holds between them too.
seidel AS (SELECT min(iterations_low) AS low, max(iterations_high) AS high FROM expected WHERE problem = 'seidel'),
ours AS (SELECT n, 1000 * min(median_s / iterations) AS ms, flagged FROM good WHERE idea = 'cuda-racy' GROUP BY n),
present AS (
    SELECT r.host, h.ord, max(r.variant = 'seidel/cuda-racy' AND r.status = 'ok') AS has_racy
    FROM results r JOIN hosts h USING (host)
    WHERE r.experiment = :experiment
      AND (h.ord = 0 OR :hosts = 'all' OR instr(' ' || :hosts || ' ', ' ' || r.host || ' '))
    GROUP BY r.host)
SELECT p.n AS "N", sig(p.cuda_ms, 3) AS "Seidel p", sig(q.cuda_ms, 3) AS "Jacobi p",
       sig(100 * p.cuda_ms / q.cuda_ms, 3) AS "Seidel/Jacobi, %",
       j.low || '..' || j.high AS "Jacobi's sweeps", sig(p.cuda_ms / q.cuda_ms * j.low, 3) || '..'
       || sig(p.cuda_ms / q.cuda_ms * j.high, 3)
         AS "Sweeps that fit", sig(q.cuda_ms / j.high, 3) AS "As Jacobi", sig(p.cuda_ms / s.high, 3) AS "As Seidel",
       marked(sig(o.ms), o.flagged) AS "Ours", marked(sig(p.cuda_ms / o.ms), o.flagged) AS "Sweeps at ours"
FROM granular_seidel p JOIN granular_jacobi q ON q.n = p.n AND q.cuda_ms IS NOT NULL JOIN jacobi j ON j.n = p.n
CROSS JOIN seidel s LEFT JOIN ours o ON o.n = p.n
WHERE EXISTS (SELECT 1 FROM ours) OR :host = (SELECT host FROM present ORDER BY has_racy DESC, ord LIMIT 1)
ORDER BY p.n;
