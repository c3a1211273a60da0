-- Every variant that a run record names. Parameter: :kernels. SPDX-License-Identifier: MIT
-- needs: ../report/chosen.sql
SELECT v.name AS "Variant",
       iif(instr(' ' || :kernels || ' ', ' ' || v.file || ' '),
           'kernel-' || replace(substr(v.file, 9), '/', '-') || '.html', NULL) AS "href Variant",
       max(v.summary) AS "What it is", max(v.source) AS "Source", nullif(max(v.library), '') AS "Library",
       replace(group_concat(DISTINCT c.experiment), ',', ', ') AS "Studies"
FROM variants v JOIN chosen c USING (host, experiment)
GROUP BY v.name ORDER BY min(v.ord), v.name;
