-- The variants of the report's studies whose times are withdrawn, since they are wrong somewhere: at most :most,
-- those that are wrong in these studies first. report/withdrawn.sql finds them. SPDX-License-Identifier: MIT
-- needs: chosen.sql
-- align: lllrL
SELECT iif(a.ord = 0, 'this machine', a.host) AS "Host", f.variant AS "Variant", f.settings AS "Cell",
       f.faults || ' of ' || f.cells AS "Cells", f.status || coalesce(': ' || nullif(f.reason, ''), '') AS "Reason"
FROM faulty f JOIN about a USING (host)
WHERE EXISTS (SELECT 1 FROM results r JOIN chosen c USING (host, experiment)
              WHERE r.host = f.host AND r.variant = f.variant)
ORDER BY (f.host, f.experiment) NOT IN (SELECT host, experiment FROM chosen), a.ord, f.variant
LIMIT CAST(:most AS INTEGER);
