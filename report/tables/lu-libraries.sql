-- Each own factorisation beside the library of its contract: ratios with their intervals. SPDX-License-Identifier: MIT
-- problems: lu
-- caption: Own factorisations at the three largest sizes, and libraries that choose their pivots in the same
--   way\each{. \hostbrief{}: \code{idea} is at its best at $n = \fact{n}$, \fact{precision}, \ratio{} times as fast as
--   \code{library}\judged}
-- caption.ru: Собственные разложения при трёх наибольших размерах и библиотеки с тем же выбором ведущего
--   элемента\each{. \hostbrief{}: \code{idea} лучше всего при $n = \fact{n}$, \fact{precision}: \ratio{} скорости
--   \code{library}\judged}
--
CREATE TEMP TABLE large AS SELECT DISTINCT n FROM good ORDER BY n DESC LIMIT 3;

-- group
-- align: lrlrrrrlrrr
WITH own AS (
    SELECT *, row_number() OVER (PARTITION BY variant, task, threads ORDER BY median_s) AS place FROM good
    WHERE NOT vendor AND n IN (SELECT n FROM large))
SELECT o.idea || ' ' || o.precision AS "Variant", o.n AS "n",
       trim(coalesce('tile ' || o.tile, '') || coalesce(' × ' || o.threads, '')) AS "Fastest at",
       marked(si(o.median_s, 's'), o.flagged) AS "Time",
       sig(o.gflops) AS "GFLOP/s", sig(p.share) AS "% of peak",
       sig(p.executed_share) AS "% executed", v.title AS "Library",
       marked(si(v.median_s, 's'), v.flagged) AS "Its time",
       marked(ratio(v.span, o.span), o.flagged, v.flagged) AS "Speed/library's",
       marked(ratio(e.span, o.span), o.flagged, e.flagged) AS "Equal threads"
FROM own o LEFT JOIN vendor v ON v.task = o.task AND v.side = o.side AND v.contract = o.contract
  AND v.own_contract = o.contract
LEFT JOIN equal_vendor e ON e.task = o.task AND e.side = o.side AND e.contract = o.contract
  AND e.own_contract = o.contract AND e.threads = o.threads AND e.threads <> v.threads
LEFT JOIN peak p ON p.cell = o.cell
WHERE o.place = 1
ORDER BY o.precision DESC, o.ord, o.threads, o.n;

-- facts
WITH pair AS (
    SELECT o.idea, o.n, o.precision, v.title AS library, v.median_s / o.median_s AS x,
           ratio_low(v.span, o.span) AS x_low, ratio_high(v.span, o.span) AS x_high,
           all_flags(o.flagged, v.flagged) AS flagged, coalesce(o.weak, v.weak) AS weak
    FROM good o JOIN vendor v ON v.task = o.task AND v.side = o.side AND v.contract = o.contract
      AND v.own_contract = o.contract
    WHERE NOT o.vendor AND o.n IN (SELECT n FROM large)),
best AS (SELECT *, row_number() OVER (PARTITION BY idea ORDER BY x DESC) AS place FROM pair)
SELECT :host AS host, idea, n, precision, library, ratio(x) AS ratio, ratio(x_low) AS low, ratio(x_high) AS high,
       verdict(x, x_low, x_high, weak) AS verdict, flagged
FROM best WHERE place = 1 ORDER BY x DESC LIMIT 1;
