-- Counts of other versions of the kernels, beside counts of today's. SPDX-License-Identifier: MIT
-- says: Counts left out because they are of other versions of the kernels: \fact{cells}. \texttt{make counters} renews
--   them.
-- says.ru: Показания счётчиков, опущенные, так как относятся к другим версиям ядер: \fact{cells}. Их обновит
--   \texttt{make counters}.
-- facts
SELECT k.host, k.experiment, sum(k.source_hash IS NOT r.source_hash) AS cells
FROM counters k JOIN results r USING (host, experiment, cell) JOIN chosen c USING (host, experiment)
WHERE k.status = 'ok' GROUP BY k.host, k.experiment
HAVING sum(k.source_hash IS r.source_hash) > 0 AND cells > 0 ORDER BY c.host_ord;
