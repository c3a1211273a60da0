-- What do the copies to the GPU and back cost? SPDX-License-Identifier: MIT
-- asks.ru: Сколько стоит копирование на GPU и обратно
-- says: Upload and download take \fact{share}\,\% of the \fact{total} that a product by \code{idea} needs in all at
--   $n = \fact{n}$\iffact{least_share}{, and \fact{least_share}\,\% at $n = \fact{least_n}$} (\fact{precision}); the
--   kernel takes \fact{time}.
-- says.ru: Копирование занимает \fact{share}\,\% полного времени (\fact{total}) произведения \code{idea} при $n =
--   \fact{n}$\iffact{least_share}{ и \fact{least_share}\,\% при $n = \fact{least_n}$} (\fact{precision}); само ядро
--   — \fact{time}.
-- rank: 3
-- chapter: matmul
-- The project's own studies repeat what those of the sources ask: they tell it where these do not.
-- facts
WITH copied AS (
    SELECT *, 100 * (upload_s + download_s) / total_s AS share,
           row_number() OVER (PARTITION BY host, experiment, precision, n ORDER BY median_s, idea) AS fastest
    FROM compared
    WHERE problem = 'matmul' AND side = 'GPU' AND total_s > 0 AND upload_s + download_s > 0 AND library IS NULL
      AND place = 1),
found AS (
    SELECT *, row_number() OVER (PARTITION BY host, experiment ORDER BY n DESC, precision) AS turn
    FROM copied WHERE fastest = 1),
asked AS (
    SELECT f.*, s.source = 'tilelab' AS ours, min(s.source = 'tilelab') OVER (PARTITION BY host) AS only_ours
    FROM found f JOIN study s USING (experiment) WHERE f.turn = 1)
SELECT f.host, f.experiment, f.idea, f.precision, f.n, marked(si(f.median_s, 's'), f.flagged) AS time,
       marked(si(f.total_s, 's'), f.flagged) AS total, sig(f.share) AS share, s.n AS least_n,
       marked(sig(s.share), s.flagged) AS least_share
FROM asked f
LEFT JOIN (SELECT *, min(n) FROM copied WHERE fastest = 1 GROUP BY host, experiment, precision) s
  ON s.host = f.host AND s.experiment = f.experiment AND s.precision = f.precision AND s.n < f.n
WHERE NOT f.ours OR f.only_ours ORDER BY f.host_ord, f.n DESC, f.study_ord;
