-- Is the cache tile worth it on a CPU? SPDX-License-Identifier: MIT
-- asks.ru: Окупается ли на процессоре тайл для кэша
-- says: The best tile (\code{idea}, tile \fact{tile}) \speed{} no tile (\code{base})\judged{} (\fact{precision}, $n =
--   \fact{n}$\iffact{threads}{, \fact{threads}~\plural{threads}{thread}{threads}})\iffact{most_ratio}{; at $n =
--   \fact{most_n}$ tile \fact{most_tile} is \ratio[most_]{} times as fast\judged[most_]}.
-- says.ru: Лучший тайл (\code{idea}, тайл \fact{tile}) \speed{} вариант без тайла (\code{base})\judged{}
--   (\fact{precision}, $n = \fact{n}$\iffact{threads}{, потоков: \fact{threads}})\iffact{most_ratio}{; при $n =
--   \fact{most_n}$ отношение скоростей (тайл \fact{most_tile}) — \ratio[most_]\judged[most_]}.
-- rank: 24
-- chapter: matmul
-- facts
WITH tiled AS (
    SELECT * FROM versus
    WHERE problem = 'matmul' AND side = 'CPU' AND threads IS base_threads AND place = 1 AND base_place = 1
      AND (idea IN ('omp-tiled', 'omp-tiled-local', 'omp-tiled-collapse') AND base = 'omp-ikj'
           OR idea = 'seq-tiled' AND base = 'seq-ikj' OR idea = 'seq-tiled-ijk' AND base = 'seq-ijk')),
found AS (
    SELECT *, row_number() OVER (PARTITION BY host, experiment
                                 ORDER BY x_low IS NULL, n DESC, coalesce(threads, 0) DESC, precision, x DESC) AS turn
    FROM tiled),
-- The same variants at the largest n, where a single run may be all there is.
largest AS (
    SELECT *, row_number() OVER (PARTITION BY host, experiment, idea, precision, coalesce(threads, 0)
                                 ORDER BY n DESC, x_low IS NULL, x DESC) AS turn
    FROM tiled)
SELECT f.host, f.experiment, f.precision, f.n, f.threads, f.tile, f.idea, f.base, f.ratio, f.low, f.high, f.verdict,
       f.flagged, f.cost_ratio, f.cost_low, f.cost_high, f.cost_flagged, f.slower, l.n AS most_n, l.tile AS most_tile,
       l.ratio AS most_ratio, l.low AS most_low, l.high AS most_high, l.flagged AS most_flagged,
       l.verdict AS most_verdict
FROM found f LEFT JOIN largest l ON l.turn = 1 AND l.host = f.host AND l.experiment = f.experiment AND l.idea = f.idea
  AND l.precision = f.precision AND l.threads IS f.threads AND l.n > f.n
WHERE f.turn = 1 ORDER BY f.host_ord, f.x_low IS NULL, f.n DESC, f.study_ord;
