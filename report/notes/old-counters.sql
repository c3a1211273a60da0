-- Counts of other versions of the kernels, beside counts of today's. SPDX-License-Identifier: MIT
-- says: \fact{cells} \plural{cells}{count is}{counts are} left out, because the kernels have changed since.
--   \texttt{make counters} counts them anew.
-- says.ru: Опущенных показаний счётчиков: \fact{cells}; эти ядра с тех пор изменились. Показания обновит \texttt{make
--   counters}.
-- facts
SELECT k.host, k.experiment, sum(k.source_hash IS NOT r.source_hash) AS cells
FROM counters k JOIN results r USING (host, experiment, cell) JOIN chosen c USING (host, experiment)
WHERE k.status = 'ok' GROUP BY k.host, k.experiment
HAVING sum(k.source_hash IS r.source_hash) > 0 AND cells > 0 ORDER BY c.host_ord;
