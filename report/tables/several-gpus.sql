-- Libraries for several GPUs beside the fastest library on one GPU. SPDX-License-Identifier: MIT
-- problems: matmul aat lu jacobi
-- caption: Libraries for several GPUs, each at its fastest block size, beside the fastest library on one GPU of the
--   same machine. The speed-up is the time of that library over the time on all GPUs, with its interval; the efficiency
--   is the speed-up over the number of GPUs. The start of the processes is in no other time
-- caption.ru: Библиотеки для нескольких GPU, каждая при самом быстром размере блока, рядом с самой быстрой библиотекой
--   на одном GPU той же машины. Ускорение — время этой библиотеки, делённое на время на всех GPU, с интервалом;
--   эффективность — ускорение, делённое на число GPU. Запуск процессов не входит ни в какое другое время
--
-- group
-- align: lrrrrrlrrr
WITH several AS (
    SELECT *, row_number() OVER (PARTITION BY variant, task, gpus ORDER BY median_s) AS place FROM good
    WHERE gpus IS NOT NULL),
one AS (
    SELECT *, row_number() OVER (PARTITION BY task, contract ORDER BY median_s) AS place FROM good
    WHERE gpus IS NULL AND side = 'GPU' AND vendor)
SELECT s.problem || '/' || s.idea || ' ' || s.precision AS "Variant", s.n AS "n", s.gpus AS "GPUs", s.tile AS "Block",
       marked(si(s.median_s, 's'), s.flagged) AS "Time", sig(s.gflops) AS "GFLOP/s", o.idea AS "One GPU",
       marked(ratio(o.median_s / s.median_s, o.ci_lo_s / s.ci_hi_s, o.ci_hi_s / s.ci_lo_s), s.flagged OR o.flagged)
         AS "Speed-up",
       sig(100 * o.median_s / s.median_s / s.gpus) AS "Efficiency, %", si(s.start_s, 's') AS "Start"
FROM several s LEFT JOIN one o ON o.task = s.task AND o.contract = s.contract AND o.place = 1
WHERE s.place = 1
ORDER BY s.problem, s.precision DESC, s.n, s.ord;
