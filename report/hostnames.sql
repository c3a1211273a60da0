-- What the label of a host may say of the host. SPDX-License-Identifier: MIT
-- needs: chosen.sql
-- facts
SELECT host, iif(ord = 0, 1, 0) AS local, coalesce(gpu, cpu, host) AS device FROM about ORDER BY ord;
