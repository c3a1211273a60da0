-- Speed-up of several GPUs over the best library on one. SPDX-License-Identifier: MIT
-- title: Speed-up of several GPUs
-- title.ru: Ускорение на нескольких GPU
-- caption: Speed-up over the fastest library on one GPU, at the fastest block size. Below the line at 1, one GPU is
--   faster
-- caption.ru: Ускорение относительно самой быстрой библиотеки на одном GPU, при самом быстром размере блока. Ниже линии
--   на уровне 1 быстрее один GPU
-- problems: matmul aat lu jacobi
--
-- A panel belongs to one problem and precision, a curve to one library and number of GPUs.
CREATE TEMP TABLE gained AS
SELECT s.*, dense_rank() OVER (ORDER BY p.ord, problem, precision DESC) AS panel
FROM several s JOIN (SELECT problem, min(ord) AS ord FROM good GROUP BY problem) p USING (problem)
WHERE place = 1 AND x IS NOT NULL;

-- name: curves
WITH counts AS (SELECT count(DISTINCT gpus) > 1 AS several FROM gained)
SELECT idea || iif(several, ', ' || gpus || ' GPUs', '') AS curve,
       39 + dense_rank() OVER (ORDER BY ord, variant, gpus) AS curve_style, 0 AS curve_dash, panel, n, x AS y,
       coalesce(x_low, x) AS low, coalesce(x_high, x) AS high, either AS flagged
FROM gained, counts ORDER BY ord, variant, gpus, panel, n;

-- name: panels
SELECT DISTINCT problem || ', ' || precision AS curve, panel FROM gained ORDER BY panel;

-- scalars
SELECT min(x) AS y_least, max(x) AS y_most,
       (SELECT group_concat(n, ' ') FROM (SELECT DISTINCT n FROM gained ORDER BY n)) AS sizes
FROM gained;
