-- Sweeps until convergence against the expected window, and the spectral radius against theory.
-- problems: jacobi seidel
-- SPDX-License-Identifier: MIT
-- caption: Sweeps of all variants but chaotic ones, at the smallest and the largest $n$ and where no window holds
--   them\each{. \hostbrief{}: \fact{inside} of \fact{count} expected windows hold the counts}
-- caption.ru: Число итераций всех вариантов, кроме хаотических, при наименьшем и наибольшем $n$ и вне
--   промежутков\each{. \hostbrief{}: из \fact{count} ожидаемых промежутков \fact{inside} содержат число}
--
-- Gauss-Seidel on these matrices, as n grows: an eigenvalue 1/w of its iteration has w exp(w) = e. The largest one
-- below 1 belongs to the branch W_1, the fixed point of w -> 1 - ln w + 2 pi i.
CREATE TEMP TABLE lambert AS
WITH RECURSIVE branch(step, re, im) AS (
    SELECT 0, 1.0, 2 * pi()
    UNION ALL
    SELECT step + 1, 1 - ln(sqrt(re * re + im * im)), 2 * pi() - atan2(im, re) FROM branch WHERE step < 60)
SELECT 1 / sqrt(re * re + im * im) AS radius FROM branch WHERE step = 60;

-- A size between two sizes with the same window has this window too. The entries of these matrices have the mean 25.
-- Jacobi's dominant eigenvalue is the one of the matrix of means. The others fill a disc, whose radius follows from the
-- variance of the entries.
CREATE TEMP TABLE judged AS
WITH found AS (
    SELECT problem, omega, n, precision, min(iterations) AS least, max(iterations) AS most, count(*) AS cells,
           max(radius) AS radius, max(coalesce(stale, 0)) AS stale
    FROM good
    WHERE solver AND sweeps IS NULL AND NOT chaotic
    GROUP BY problem, omega, n, precision)
SELECT s.*, b.iterations_low AS low, b.iterations_high AS high, 1 - 1 / (25.0 * (s.n - 1) + 1) AS dominant,
       sqrt(s.n / 3.0) / (s.n - 1) AS bulk
FROM found s
LEFT JOIN expected b ON b.problem = s.problem AND b.precision = s.precision AND abs(b.omega - s.omega) < 0.001
  AND b.n = (SELECT max(e.n) FROM expected e WHERE e.problem = b.problem AND e.omega = b.omega
             AND e.precision = b.precision AND e.n <= s.n)
  AND (b.n = s.n
       OR EXISTS (SELECT 1 FROM expected a WHERE a.problem = b.problem AND a.omega = b.omega
                  AND a.precision = b.precision
                  AND a.n > s.n AND a.iterations_low = b.iterations_low AND a.iterations_high = b.iterations_high));

-- group
SELECT problem AS "Method", fraction(omega) AS "omega", n AS "N", cells AS "Cells",
       marked(least || iif(most > least, ' to ' || most, ''), iif(stale, flag('stale'), 0)) AS "Sweeps",
       low || ' to ' || high AS "Expected",
       CASE WHEN low IS NULL THEN NULL WHEN least >= low AND most <= high THEN 'inside' ELSE 'outside' END AS "Window",
       printf('%.6f', radius) AS "Radius",
       printf('%.6f', CASE problem
                      WHEN 'jacobi' THEN max(abs(1 - omega * (1 + dominant)), abs(1 - omega) + omega * bulk)
                      WHEN 'seidel' THEN iif(omega = 1, (SELECT radius FROM lambert), NULL) END) AS "Predicted"
FROM (SELECT *, min(n) OVER sizes AS first, max(n) OVER sizes AS last FROM judged
      WINDOW sizes AS (PARTITION BY problem, omega, precision))
WHERE n IN (first, last) OR NOT coalesce(least >= low AND most <= high, 0)
ORDER BY problem, omega DESC, precision, n;

-- facts
SELECT :host AS host, count(*) AS count, sum(least >= low AND most <= high) AS inside
FROM judged WHERE low IS NOT NULL HAVING count(*) > 0;
