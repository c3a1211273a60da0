-- What bounds the fastest kernels of a GPU, by the cycles that were counted. SPDX-License-Identifier: MIT
-- says: \code{idea} (\fact{precision}, $n = \fact{n}$) \when{unit}{tensor}{keeps the tensor cores at work in
--   \fact{share}\,\% of the cycles}\when{unit}{fma}{keeps the units for multiply-adds at work in \fact{share}\,\%
--   of the cycles}\when{unit}{issue}{fills \fact{share}\,\% of the slots for instructions}\when{unit}{wait}{waits,
--   for no unit works in more than \fact{share}\,\% of the cycles}\iffact{most}{ and can become \fact{most} times
--   as fast at most}.
-- says.ru: \code{idea} (\fact{precision}, $n = \fact{n}$) \when{unit}{tensor}{занимает тензорные ядра в
--   \fact{share}\,\% тактов}\when{unit}{fma}{занимает блоки умножения со сложением в \fact{share}\,\%
--   тактов}\when{unit}{issue}{занимает \fact{share}\,\% мест для команд}\when{unit}{wait}{ждёт: ни один блок не
--   занят больше чем в \fact{share}\,\% тактов}\iffact{most}{ и может стать быстрее не более чем в \fact{most}
--   \forms{most}{раз}{раза}{раз}}.
-- facts
WITH spent AS (
    SELECT k.host, k.experiment, k.variant, k.precision, k.n, c.host_ord,
           substr(k.variant, 1, instr(k.variant, '/') - 1) AS problem,
           100.0 * k.issue_cycles / (4 * k.cycles) AS issue, 100.0 * k.fma_cycles / k.cycles AS fma,
           100.0 * k.tensor_cycles / k.cycles AS tensor,
           k.tensor_instructions > k.pair_instructions AS on_tensor, k.cycles
    FROM counters k JOIN chosen c USING (host, experiment) JOIN known v ON v.name = k.variant
    WHERE k.status = 'ok' AND k.cycles > 0 AND coalesce(v.library, '') = ''),
-- The fastest on tensor cores and the fastest on other cores, at the largest n that was counted of each.
ranked AS (
    SELECT *, row_number() OVER (PARTITION BY host, experiment, problem, precision, on_tensor
                                 ORDER BY n DESC, cycles) AS turn,
           max(issue, coalesce(fma, 0), coalesce(tensor, 0)) AS share
    FROM spent)
SELECT host, experiment, variant AS idea, precision, n, sig(share, 2) AS share,
       CASE WHEN share < 50 THEN 'wait' WHEN tensor = share THEN 'tensor' WHEN fma = share THEN 'fma' ELSE 'issue' END
         AS unit,
       iif(share < 50, NULL, sig(100 / share, 3)) AS most
FROM ranked WHERE turn = 1 ORDER BY host_ord, experiment, problem DESC, precision, on_tensor;
