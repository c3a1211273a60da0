-- The places of the right own kernels of several hosts, at the largest n that the most hosts have measured. Kernels
-- that a course hands out say nothing of a host, and are left out where others are there. SPDX-License-Identifier: MIT
-- needs: chosen.sql ranking.sql
-- group
-- align: lllrrllrl
WITH shown AS (
    SELECT r.*, min(given) OVER study AS only_given
    FROM ranking r JOIN chosen c USING (host, experiment) WHERE r.largest
    WINDOW study AS (PARTITION BY r.experiment, r.problem, r.precision, r.side, r.contract)),
many AS (SELECT experiment FROM chosen GROUP BY experiment HAVING count(DISTINCT host) > 2)
SELECT s.problem || iif(s.contract = 'none', '', '*') AS "Problem", s.precision AS "Type", s.side AS "Device",
       s.n AS "n", s.place AS "Place", iif(a.ord = 0, 'this machine', a.host) AS "Host", s.idea AS "Variant",
       marked(ratio(s.vendor_span, s.span), s.flagged, s.vendor_flagged) AS "Own / library", s.vendor AS "Library"
FROM shown s JOIN about a USING (host) JOIN many USING (experiment)
WHERE NOT s.given OR s.only_given
ORDER BY (SELECT rowid FROM problems q WHERE q.name = s.problem), s.contract, s.precision, s.side, s.experiment,
         s.place IS NULL, s.place, s.ratio DESC, a.ord, s.variant;
