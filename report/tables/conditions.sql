-- What cold caches and pinned host memory change. SPDX-License-Identifier: MIT
-- caption: Each cell under the usual conditions (hot caches, pageable host memory) and under others. Cold caches change
--   the time of the run; pinned memory changes the times of the copies, and so the total
-- caption.ru: Каждая ячейка в обычных условиях (горячие кэши, обычная память хоста) и в других. Холодные кэши меняют
--   время выполнения, закреплённая память — время копирования и тем самым полное время
--
-- align: lrrlrrrr
WITH conditioned AS (
    SELECT *, drop_axes(settings, 'cache host-memory') AS other, cache IS NULL AND host_memory IS NULL AS usual
    FROM good),
pair AS (
    SELECT c.*, b.median_s AS base_s, b.ci_lo_s AS base_lo_s, b.ci_hi_s AS base_hi_s, b.total_s AS base_total_s
    FROM conditioned c JOIN conditioned b ON b.variant = c.variant AND b.other = c.other AND b.machine = c.machine
      AND b.usual)
SELECT idea AS "Variant", n AS "N", threads AS "Threads",
       iif(usual, 'usual',
           trim(coalesce(cache || ' caches', '') || coalesce(', ' || host_memory || ' memory', ''), ', '))
         AS "Condition",
       marked(si(median_s, 's'), flagged) AS "Time",
       iif(usual, NULL, ratio(median_s / base_s)
           || coalesce(' [' || ratio(ci_lo_s / base_hi_s) || ', ' || ratio(ci_hi_s / base_lo_s) || ']', ''))
         AS "Time / usual",
       si(upload_s, 's') AS "Upload", si(download_s, 's') AS "Download", si(total_s, 's') AS "Total"
FROM pair ORDER BY ord, precision, n, threads, NOT usual, settings;
