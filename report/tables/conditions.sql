-- What cold caches and pinned host memory change. SPDX-License-Identifier: MIT
-- caption: Cells under the usual conditions (hot caches, pageable host memory) and under others, a library on its
--   fastest number of threads. Cold caches change the time of the run, pinned memory that of the copies, and so the total
-- caption.ru: Ячейки в обычных условиях (горячие кэши, обычная память хоста) и в других, библиотека на самом быстром для
--   неё числе потоков. Холодные кэши меняют время выполнения, закреплённая память — время копирования и полное время
--
-- align: lrrrrrrr
WITH conditioned AS (
    SELECT *, drop_axes(settings, 'cache host-memory') AS other FROM good)
SELECT u.idea AS "Variant", u.n AS "N", u.threads AS "Threads", marked(si(u.median_s, 's'), u.flagged) AS "Hot caches",
       marked(si(c.median_s, 's'), c.flagged) AS "Cold caches",
       ratio(c.span, u.span) AS "Cold / hot",
       si(u.total_s, 's') AS "Total", si(p.total_s, 's') AS "Total, pinned"
FROM conditioned u
     LEFT JOIN conditioned c ON c.variant = u.variant AND c.other = u.other AND c.machine = u.machine
       AND c.cache IS NOT NULL AND c.conditions = 1
     LEFT JOIN conditioned p ON p.variant = u.variant AND p.other = u.other AND p.machine = u.machine
       AND p.host_memory IS NOT NULL AND p.conditions = 1
-- A library that is faster on another number of threads has no row.
WHERE u.usual AND (c.n IS NOT NULL OR p.n IS NOT NULL)
  AND NOT (u.vendor AND EXISTS (SELECT 1 FROM conditioned o WHERE o.usual AND o.variant = u.variant AND o.n = u.n
                                AND o.precision = u.precision AND o.machine = u.machine AND o.threads <> u.threads
                                AND o.median_s < u.median_s))
ORDER BY u.ord, u.precision, u.n, u.threads, u.settings;
