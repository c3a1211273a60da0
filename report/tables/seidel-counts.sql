-- The sweeps that the source's times of Gauss-Seidel on a GPU leave room for. SPDX-License-Identifier: MIT
-- caption: What the source's GPU times (columns marked p, in milliseconds) say of its sweeps. Suppose that a sweep
--   of its Seidel cost as much as a sweep of its Jacobi, and that its Jacobi made the sweeps that these systems need.
--   Then its Seidel made as many sweeps as \emph{fit}. \emph{Ms each} is the time of such a sweep; \emph{if in order}
--   is the time of a sweep had it made no more sweeps than Gauss--Seidel does. \emph{Here} is a sweep of cuda-racy at
--   its fastest block; \emph{at ours} tells how many of these the source's time holds
--
-- The window of expected sweeps stands for the count of the source's Jacobi, which the source does not tell.
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
