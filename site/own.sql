-- The kernels of users' own folders that were measured: the file as run records name it, and the copy of it that the
-- program has. SPDX-License-Identifier: MIT
-- needs: ../report/chosen.sql
SELECT DISTINCT v.file, k.own_file
FROM variants v JOIN chosen c USING (host, experiment) JOIN known k ON k.name = v.name
WHERE k.own_file IS NOT NULL ORDER BY v.file;
