-- What does pinned host memory save? SPDX-License-Identifier: MIT
-- asks.ru: Что даёт закреплённая память хоста
-- says: From and to pinned host memory, a product by \code{idea} with its copies takes \fact{pinned_time} instead of
--   \fact{time} (\fact{precision}, $n = \fact{n}$): uploads are \fact{upload} times as fast, downloads
--   \fact{download} times.
-- says.ru: С закреплённой памятью хоста умножение \code{idea} вместе с копированием занимает \fact{pinned_time} вместо
--   \fact{time} (\fact{precision}, $n = \fact{n}$): отношение скоростей загрузки — \fact{upload}, выгрузки —
--   \fact{download}.
-- rank: 29
-- chapter: matmul
-- facts
WITH copied AS (SELECT *, drop_axes(settings, 'host-memory') AS other FROM shown_cell WHERE total_s > 0),
pair AS (
    SELECT c.*, b.total_s AS base_s, b.upload_s / c.upload_s AS upload, b.download_s / c.download_s AS download,
           b.flagged AS base_flagged,
           row_number() OVER (PARTITION BY c.host, c.experiment ORDER BY c.n DESC, c.total_s) AS turn
    FROM copied c JOIN copied b USING (host, experiment, variant, other, machine)
    WHERE b.usual AND c.host_memory = 'pinned' AND c.conditions = 1 AND c.problem = 'matmul')
SELECT host, experiment, idea, precision, n, marked(si(base_s, 's'), base_flagged) AS time,
       marked(si(total_s, 's'), flagged) AS pinned_time, ratio(upload) AS upload, ratio(download) AS download
FROM pair WHERE turn = 1 ORDER BY host_ord, study_ord;
