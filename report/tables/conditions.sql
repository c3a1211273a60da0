-- What cold caches and pinned host memory change. SPDX-License-Identifier: MIT
-- caption: The usual conditions (hot caches, pageable host memory) and others, at the smallest and the largest $n$.
--   Cold caches change the time of the run, pinned memory that of the copies, and so the total
-- caption.ru: Обычные условия (горячие кэши, обычная память) и другие, при наименьшем и наибольшем $n$. Холодные кэши
--   меняют время выполнения, закреплённая память — время копирования и полное
--
-- align: lrrrrrrr
WITH conditioned AS (
    SELECT *, drop_axes(settings, 'cache host-memory') AS other FROM good),
beside AS (
    SELECT u.*, marked(si(c.median_s, 's'), c.flagged) AS cold,
           marked(ratio(c.span, u.span), u.flagged, c.flagged) AS ratio, si(p.total_s, 's') AS pinned,
           min(u.n) OVER sizes AS least, max(u.n) OVER sizes AS most,
           row_number() OVER (PARTITION BY u.variant, u.precision, u.n, u.machine ORDER BY u.median_s) AS place
    FROM conditioned u
    LEFT JOIN conditioned c ON c.variant = u.variant AND c.other = u.other AND c.machine = u.machine
      AND c.cache IS NOT NULL AND c.conditions = 1
    LEFT JOIN conditioned p ON p.variant = u.variant AND p.other = u.other AND p.machine = u.machine
      AND p.host_memory IS NOT NULL AND p.conditions = 1
    WHERE u.usual AND (c.n IS NOT NULL OR p.n IS NOT NULL)
    WINDOW sizes AS (PARTITION BY u.variant, u.precision))
SELECT idea AS "Variant", n AS "N", threads AS "Threads", marked(si(median_s, 's'), flagged) AS "Hot caches",
       cold AS "Cold caches", ratio AS "Cold / hot", si(total_s, 's') AS "Total", pinned AS "Total, pinned"
FROM beside WHERE n IN (least, most) AND (NOT vendor OR place = 1)
ORDER BY ord, precision, n, threads, settings;
