-- Times of the laboratory's four programs, with transfer, kernel and total apart. SPDX-License-Identifier: MIT
-- problems: matmul
-- caption: Times of the laboratory's programs, with transfer, kernel and total apart.\each{ \hostbrief{}: at $N =
--   \fact{n}$ the copies take \fact{copies} of the time with shared memory.} The total is a series of its own
-- caption.ru: Время программ лабораторной работы: копирование, ядро и сумма отдельно.\each{ \hostbrief{}: при $N =
--   \fact{n}$ копирование занимает \fact{copies} времени программы с разделяемой памятью.} Полное время измерено
--   отдельно
--
-- group
-- pivot: size time
WITH part AS (
    SELECT * FROM (SELECT 'seq-ijk' AS idea, 1 AS ord, 'sequential, CPU' AS program, 'compute' AS part
     UNION ALL SELECT 'omp-ijk', 2, 'OpenMP, CPU', 'compute'
     UNION ALL SELECT 'cuda-global', 3, 'GPU, global memory', 'transfer'
     UNION ALL SELECT 'cuda-global', 4, 'GPU, global memory', 'kernel'
     UNION ALL SELECT 'cuda-global', 5, 'GPU, global memory', 'total'
     UNION ALL SELECT 'cuda-shared', 6, 'GPU, shared memory', 'transfer'
     UNION ALL SELECT 'cuda-shared', 7, 'GPU, shared memory', 'kernel'
     UNION ALL SELECT 'cuda-shared', 8, 'GPU, shared memory', 'total')),
fastest AS (SELECT *, min(median_s) AS least FROM good GROUP BY idea, precision, n)
SELECT p.program AS "Program", p.part AS "Time", 'N = ' || f.n AS size,
       marked(si(CASE p.part WHEN 'transfer' THEN f.upload_s + f.download_s WHEN 'total' THEN f.total_s
                 ELSE f.median_s END, 's'), f.flagged) AS time
FROM fastest f JOIN part p USING (idea)
WHERE f.n IN (SELECT n FROM good WHERE idea IN (SELECT idea FROM part))
ORDER BY p.ord, f.n;

-- facts
SELECT :host AS host, n, marked(sig(100 * (upload_s + download_s) / total_s), flagged) || ' %' AS copies FROM good
WHERE idea = 'cuda-shared' AND total_s > 0 ORDER BY n DESC, median_s LIMIT 1;
