-- How many of a study's threads gain, since the cores of a virtual machine may be shared. SPDX-License-Identifier: MIT
-- says: All times on \fact{threads} threads are times of \fact{cores} effective \plural{cores}{core}{cores}: a probe at
--   the start of the run found that so many threads gain.
-- says.ru: Каждое время при числе потоков \fact{threads} получено на эффективных ядрах, числом \fact{cores}: проба в
--   начале измерения показала такое ускорение.
-- facts
SELECT c.host, c.experiment, max(c.threads) AS threads, sig(e.cores, 3) AS cores
FROM compared c JOIN effective_cores e USING (host, experiment)
WHERE c.threads > 1 AND c.side = 'CPU'
GROUP BY c.host, c.experiment HAVING max(c.threads) >= e.cores
ORDER BY min(c.host_ord), min(c.study_ord);
