-- How many sweeps of Gauss-Seidel fit into the source's times on a GPU. SPDX-License-Identifier: MIT
-- caption: How many sweeps fit into the source's GPU times (columns marked p, in milliseconds). Suppose that the
--   source's Jacobi made as many sweeps as these systems need. \emph{Ms each} is then the time of one of its sweeps.
--   Suppose that a sweep of its Seidel took as long. \emph{Sweeps that fit} is then the number of sweeps that its
--   Seidel made. \emph{If in order} is the time of a sweep if its Seidel made only the sweeps that Gauss--Seidel needs.
--   \emph{Here} is the time of a sweep of cuda-racy at its fastest block. \emph{At ours} is the number of sweeps of
--   this length that fit into the source's time
--
-- The source does not tell how many sweeps its Jacobi made. The window of expected sweeps stands for this number.
-- group
WITH jacobi AS (SELECT n, iterations_low AS low, iterations_high AS high FROM expected
                WHERE problem = 'jacobi' AND omega = 1),
-- A window that holds at both ends holds between them too.
seidel AS (SELECT min(iterations_low) AS low, max(iterations_high) AS high FROM expected WHERE problem = 'seidel'),
ours AS (SELECT n, 1000 * min(median_s / iterations) AS ms FROM good WHERE idea = 'cuda-racy' GROUP BY n)
SELECT p.n AS "N", sig(p.cuda_ms, 3) AS "Seidel p", sig(q.cuda_ms, 3) AS "Jacobi p",
       sig(100 * p.cuda_ms / q.cuda_ms, 3) AS "%",
       j.low || '..' || j.high AS "Jacobi's sweeps", sig(p.cuda_ms / q.cuda_ms * j.low, 3) || '..'
       || sig(p.cuda_ms / q.cuda_ms * j.high, 3)
         AS "Sweeps that fit", sig(q.cuda_ms / j.high, 3) AS "ms each", sig(p.cuda_ms / s.high, 3) AS "if in order",
       sig(o.ms, 3) AS "here", sig(p.cuda_ms / o.ms, 3) AS "At ours"
FROM granular_seidel p JOIN granular_jacobi q ON q.n = p.n AND q.cuda_ms IS NOT NULL JOIN jacobi j ON j.n = p.n
CROSS JOIN seidel s LEFT JOIN ours o ON o.n = p.n
ORDER BY p.n;
