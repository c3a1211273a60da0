-- How many of a host's threads gain, since the cores of a virtual machine may be shared. SPDX-License-Identifier: MIT
-- says: All times on \fact{threads} threads are times of \range{least}{most} effective \plural{most}{core}{cores}: a
--   probe at the start of each run found that so many threads gain.
-- says.ru: Каждое время на \fact{threads}~\forms{threads}{потоке}{потоках}{потоках} соответствует
--   \range{least}{most}~\forms{most}{эффективному ядру}{эффективного ядра}{эффективным ядрам}: проба в начале каждого
--   измерения показала такое ускорение.
-- facts
WITH study AS (
    SELECT c.host, max(c.host_ord) AS host_ord, max(c.threads) AS threads, e.cores
    FROM compared c JOIN effective_cores e USING (host, experiment)
    WHERE c.threads > 1 AND c.side = 'CPU'
    GROUP BY c.host, c.experiment HAVING max(c.threads) >= e.cores)
SELECT host, threads, sig(min(cores), 3) AS least, sig(max(cores), 3) AS most
FROM study GROUP BY host, threads ORDER BY host_ord, threads;
