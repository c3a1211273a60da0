-- What each variant reaches of the library on the same device, as lines "variant text", for kernels/README.md. The
-- largest size counts at which both were measured. Among equal sizes the studies of the README's table come first, then
-- f32, most threads, and the host with most libraries. SPDX-License-Identifier: MIT
WITH pair AS (
    SELECT c.variant, c.precision, c.n, c.median_s, c.flagged, v.median_s AS library_s, v.flagged AS library_flagged,
           v.title,
           row_number() OVER (
               PARTITION BY c.variant
               ORDER BY c.n DESC, c.experiment IN ('frontier-cpu', 'ladder', 'lu-gpu', 'solver-speed') DESC,
                        c.precision, c.threads DESC, v.libraries DESC, c.median_s, c.host, c.experiment) AS place
    FROM cells c JOIN library_cells v USING (host, experiment, task, side, contract)
    WHERE v.own_contract = c.contract AND v.place = 1 AND NOT c.vendor AND c.usual AND c.counts)
SELECT variant || ' ' || marked(sig(100 * library_s / median_s, 2) || ' %', flagged, library_flagged)
       || printf(' of `%s`, %s, n = %d', title, precision, n)
FROM pair WHERE place = 1 ORDER BY variant;
