-- What the label of a host may say of the host. Run report/chosen.sql before this file. SPDX-License-Identifier: MIT
-- facts
SELECT host, iif(ord = 0, 1, 0) AS local, coalesce(gpu, cpu, host) AS device FROM about ORDER BY ord;
