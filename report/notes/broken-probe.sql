-- Probes that a verified kernel of the same device, precision, threads and unit is faster than, even at the slow end of
-- the kernel's interval. SPDX-License-Identifier: MIT
-- says: The measured peak of the \fact{side}, \fact{precision}\iffact{threads}{,
--   \fact{threads}~\plural{threads}{thread}{threads}}\when{tensor}{1}{, tensor cores}, \fact{peak}, is below the
--   verified \code{idea} at $n = \fact{n}$ (\fact{share}\,\% of it): the probe is broken, and percentages of this
--   peak are not to be trusted.
-- says.ru: Измеренный пик \fact{side}, \fact{precision}\iffact{threads}{, потоков:
--   \fact{threads}}\when{tensor}{1}{, тензорные ядра}, \fact{peak}, ниже скорости проверенного варианта \code{idea} при
--   $n = \fact{n}$ (\fact{share}\,\% пика): проба неисправна, и процентам от этого пика доверять нельзя.
-- facts
WITH broken AS (
    SELECT c.*, p.rate, p.gflops AS peak, instr(c.tensor, c.precision) > 0 AS on_tensor,
           max(p.rate / p.gflops) AS share
    FROM cells c JOIN peaks p USING (host, experiment, cell)
    WHERE p.rate * c.median_s > p.gflops * coalesce(c.ci_hi_s, c.median_s)
    GROUP BY c.host, c.experiment, c.side, c.precision, c.threads, on_tensor)
SELECT host, experiment, side, precision, threads, on_tensor AS tensor,
       si(peak * 1e9, iif(precision = 'i32', 'op/s', 'FLOP/s')) AS peak, idea, n, sig(100 * share, 4) AS share
FROM broken ORDER BY host_ord, study_ord, side, precision, threads;
