-- The hash of each variant's source in this program, of the variants whose machine code the site shows: those of the
-- studies on the site, and those that no study has measured. SPDX-License-Identifier: MIT
-- needs: ../report/chosen.sql
SELECT name, source_hash FROM known
WHERE name NOT IN (SELECT name FROM variants)
   OR name IN (SELECT v.name FROM variants v JOIN chosen c USING (host, experiment))
ORDER BY name;
