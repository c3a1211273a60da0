-- Time of each chunk of rows
-- SPDX-License-Identifier: MIT
SELECT variant AS "Variant", n AS "n", chunk AS "Rows a chunk", si(median_s, 's') AS "Time"
FROM good WHERE chunk IS NOT NULL ORDER BY ord, n, chunk;
