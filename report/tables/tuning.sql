-- Every setting of the variants that have several, against the fastest setting. SPDX-License-Identifier: MIT
-- caption: Every setting of a variant against its fastest one, at the largest size with several\each{. \hostbrief{}, $N
--   = \fact{n}$, \code{idea}: \when{verdict}{faster}{\fact{setting} is best, \ratio{} times as fast as
--   \fact{second}}\whennot{verdict}{faster}{no setting is best, \fact{setting} leads \fact{second} by \ratio{}\judged}}
-- caption.ru: Настройки варианта рядом с самой быстрой\each{. \hostbrief{}, $N = \fact{n}$, \code{idea}:
--   \when{verdict}{faster}{лучшая — \fact{setting}: \ratio{} скорости с
--   «\fact{second}»}\whennot{verdict}{faster}{лучшей нет, «\fact{setting}» к «\fact{second}» — \ratio{}\judged}}
--
-- A setting is the values of all tuning axes, such as the tile. Each variant is shown at the largest n that has several
-- settings, on its most threads.
CREATE TEMP TABLE tuned AS
WITH several AS (
    SELECT w.*, substr(a.tuning_label, 3) AS setting, a.place_key AS place_key,
           count(*) OVER (PARTITION BY w.variant, w.task, a.place_key) AS count
    FROM widest w JOIN named a USING (cell)
    WHERE NOT w.vendor AND w.library IS NULL AND a.tuning_label <> '' AND w.sweeps IS NULL),
last AS (SELECT *, max(n) OVER (PARTITION BY variant, precision) AS most FROM several WHERE count > 1),
ranked AS (
    SELECT *, row_number() OVER (PARTITION BY variant, task, place_key ORDER BY median_s, setting) AS place FROM last
    WHERE n = most)
SELECT r.ord, r.idea, r.variant, r.side, r.precision, r.task, r.n, r.setting, r.place, r.median_s, r.flagged,
       b.setting AS best,
       r.median_s / b.median_s AS x, ratio_low(r.span, b.span) AS x_low, ratio_high(r.span, b.span) AS x_high,
       verdict(b.span, r.span, coalesce(b.weak, r.weak)) AS verdict,
       coalesce(b.weak, r.weak) AS weak,
       all_flags(r.flagged, b.flagged) AS flagged
FROM ranked r JOIN ranked b ON b.variant = r.variant AND b.task = r.task AND b.place_key = r.place_key AND b.place = 1;

-- group
SELECT idea AS "Variant", precision AS "Type", n AS "N", setting AS "Setting",
       marked(si(median_s, 's'), flagged) AS "Time",
       iif(place > 1, marked(ratio(x, x_low, x_high), flagged), NULL) AS "Time / fastest's",
       iif(place = 1, 'fastest', verdict) AS "Verdict"
FROM tuned ORDER BY ord, precision, place;

-- facts
SELECT :host AS host, n, idea, translated(best) AS setting, translated(setting) AS second, ratio(x) AS ratio,
       ratio(x_low) AS low, ratio(x_high) AS high, verdict(x, x_low, x_high, weak) AS verdict, flagged
FROM tuned WHERE place = 2 ORDER BY median_s LIMIT 1;
