-- Libraries for several GPUs beside the fastest library on one GPU. SPDX-License-Identifier: MIT
-- problems: matmul aat lu jacobi
-- caption: Libraries for several GPUs, each at its fastest block size, beside the fastest library on one GPU of the
--   same machine. The speed-up is the time of that library over the time on all GPUs, with its interval; the efficiency
--   is the speed-up over the number of GPUs. “Of the product” compares the operations a second with those of the
--   fastest product on as many GPUs: what a factorisation lacks there is the cost of its panels and messages. The start
--   of the processes is in no other time
-- caption.ru: Библиотеки для нескольких GPU, каждая при самом быстром размере блока, рядом с самой быстрой библиотекой
--   на одном GPU той же машины. Ускорение — время этой библиотеки, делённое на время на всех GPU, с интервалом;
--   эффективность — ускорение, делённое на число GPU. «От произв.» сравнивает число операций в секунду с самым
--   быстрым произведением на стольких же GPU: чего здесь не хватает разложению, то стоят панели и сообщения. Запуск
--   процессов не входит ни в какое другое время
--
-- group
-- align: lrrrrrrrr
SELECT s.problem || '/' || s.idea || ' ' || s.precision AS "Variant", s.n AS "n", s.gpus AS "GPUs", s.tile AS "Block",
       marked(si(s.median_s, 's'), s.flagged) AS "Time",
       marked(ratio(s.x, s.x_low, s.x_high), s.either) AS "Speed-up", sig(100 * s.x / s.gpus) AS "Efficiency, %",
       iif(s.solver, NULL, sig(100 * s.gflops / s.product_rate)) AS "Of the product, %", si(s.start_s, 's') AS "Start"
FROM several s WHERE s.place = 1
ORDER BY s.problem, s.precision DESC, s.ord, s.gpus, s.n;
