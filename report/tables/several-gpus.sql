-- Libraries for several GPUs beside the fastest library on one GPU. SPDX-License-Identifier: MIT
-- problems: matmul aat lu jacobi
-- caption: Libraries for several GPUs, each at its fastest block size, beside the fastest library on one GPU. “Of the
--   product”: operations a second over those of the fastest product on as many GPUs. The start of the processes is in
--   no other time
-- caption.ru: Библиотеки для нескольких GPU, каждая с лучшим блоком, и лучшая на одном GPU. «От произв.»: скорость
--   относительно лучшего произведения на стольких же GPU. Запуск процессов не входит в другие времена
--
-- group
-- align: lrrrrrrrr
SELECT s.problem || '/' || s.idea || ' ' || s.precision AS "Variant", s.n AS "n", s.gpus AS "GPUs", s.tile AS "Block",
       marked(si(s.median_s, 's'), s.flagged) AS "Time",
       marked(ratio(s.x, s.x_low, s.x_high), s.either) AS "Speed-up", sig(100 * s.x / s.gpus) AS "Efficiency, %",
       iif(s.solver, NULL, sig(100 * s.gflops / s.product_rate)) AS "Of the product, %", si(s.start_s, 's') AS "Start"
FROM several s WHERE s.place = 1
ORDER BY s.problem, s.precision DESC, s.ord, s.gpus, s.n;
