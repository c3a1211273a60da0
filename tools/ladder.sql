-- What each variant reaches of the library on the same device, as lines "variant text", for kernels/README.md. The
-- largest size counts at which both were measured. Among equal sizes the studies of the README's table come first, then
-- f32, then most threads. SPDX-License-Identifier: MIT
WITH described AS (
    SELECT host, experiment, name, coalesce(max(pivoting), 'none') AS contract FROM variants GROUP BY 1, 2, 3),
pair AS (
    SELECT r.variant, r.precision, r.n, r.median_s, r.flagged, v.median_s AS library_s, v.flagged AS library_flagged,
           v.title,
           row_number() OVER (
               PARTITION BY r.variant
               ORDER BY r.n DESC, r.experiment IN ('frontier-cpu', 'ladder', 'lu-gpu', 'solver-speed') DESC,
                        r.precision, r.threads DESC, r.median_s, r.host, r.experiment) AS place
    FROM results r
    JOIN described d ON d.host = r.host AND d.experiment = r.experiment AND d.name = r.variant
    JOIN library_cells v ON v.host = r.host AND v.experiment = r.experiment AND v.task = r.task AND v.side = r.side
                        AND v.contract = d.contract AND v.own_contract = d.contract AND v.place = 1
    WHERE r.status = 'ok' AND NOT r.probe AND NOT r.vendor AND r.experiment <> 'smoke')
SELECT variant || ' ' || marked(sig(100 * library_s / median_s, 2) || ' %', flagged, library_flagged)
       || printf(' of `%s`, %s, n = %d', title, precision, n)
FROM pair WHERE place = 1 ORDER BY variant;
