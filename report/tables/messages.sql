-- What a message between GPUs costs. SPDX-License-Identifier: MIT
-- problems: allgather
-- caption: An all-gather between GPUs, 64 times in one graph. Each GPU receives what the others have. The first row is
--   the least time of a message; the last one shows the rate of the links
-- caption.ru: Операция all-gather между GPU, 64 раза в одном графе. Каждый GPU получает то, что есть у остальных.
--   Первая строка — наименьшее время сообщения, последняя показывает скорость связей
--
-- align: lrrrrr
SELECT idea AS "Variant", gpus AS "GPUs", si(bytes / 64, 'B') AS "Received", rounds AS "Rounds",
       marked(si(median_s / 64, 's'), flagged) AS "Time", marked(si(bytes / median_s, 'B/s'), flagged) AS "Rate"
FROM cell WHERE status = 'ok' AND problem = 'allgather' ORDER BY gpus, n, ord;
