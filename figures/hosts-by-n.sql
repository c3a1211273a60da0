-- The speed of several machines over n, a curve for each machine and device. SPDX-License-Identifier: MIT
-- title: Speed of each machine over n
-- title.ru: Скорость каждой машины
-- caption: Speed of the study's fastest own variant at each $n$, on every machine that has measured the study. Variants
--   and thread counts may differ from machine to machine
-- caption.ru: Скорость самого быстрого собственного варианта исследования при каждом $n$ на каждой машине. Варианты и
--   число потоков на разных машинах могут различаться
--
-- The figure is drawn once, for the first machine of the study, and only if there are several machines.
CREATE TEMP TABLE fastest_there AS
WITH own AS (
    SELECT c.*, h.ord AS host_ord,
           row_number() OVER (PARTITION BY c.host, c.side, c.n ORDER BY iif(c.by_bytes, c.gbs, c.gflops) DESC) AS place
    FROM cells c JOIN hosts h USING (host)
    WHERE c.experiment = :experiment AND c.usual AND NOT c.vendor AND c.library IS NULL
      AND c.problem = (SELECT problem FROM results WHERE experiment = :experiment AND NOT probe ORDER BY rowid LIMIT 1))
SELECT *, iif(by_bytes, gbs, gflops) AS speed FROM own
WHERE place = 1 AND (SELECT count(DISTINCT host) FROM own) > 1
  AND :host = (SELECT host FROM own ORDER BY host_ord LIMIT 1);

-- name: curves
SELECT host || ', ' || side AS curve, iif(side = 'GPU', 40, 10) + host_ord % 8 AS curve_style,
       host_ord / 8 AS curve_dash, 0 AS curve_grey, n, speed AS y,
       rate_low(speed, span) AS low, rate_high(speed, span) AS high, flagged
FROM fastest_there ORDER BY side, host_ord, n;

-- scalars
SELECT min(speed) AS y_least, max(speed) AS y_most,
       (SELECT group_concat(n, ' ') FROM (SELECT DISTINCT n FROM fastest_there ORDER BY n)) AS sizes,
       coalesce(max(by_bytes), 0) AS of_memory
FROM fastest_there;
