-- The GPU architecture of the first machine with a GPU, as cuobjdump names it. SPDX-License-Identifier: MIT
-- needs: ../report/chosen.sql
SELECT 'sm_' || replace(value, '.', '') FROM machine m JOIN about a USING (host)
WHERE key = 'gpu.compute_capability' AND value GLOB '[0-9]*.[0-9]' ORDER BY a.ord LIMIT 1;
