-- What bounds the fastest kernels of a GPU, by the cycles that were counted. SPDX-License-Identifier: MIT
-- says: \code{idea} (\fact{precision}, $n =$ \range{least_n}{n}) \when{unit}{tensor}{keeps the tensor cores at work
--   in \range{least}{share}\,\% of the cycles}\when{unit}{fma}{keeps the units for multiply-adds at work in
--   \range{least}{share}\,\% of the cycles}\when{unit}{issue}{fills \range{least}{share}\,\% of the slots for
--   instructions}\when{unit}{shared}{keeps the shared memory at work in \range{least}{share}\,\% of the
--   cycles}\when{unit}{wait}{waits, for no unit works in more than \fact{share}\,\% of the cycles}.
-- says.ru: \code{idea} (\fact{precision}, $n =$ \range{least_n}{n}) \when{unit}{tensor}{занимает тензорные ядра в
--   \range{least}{share}\,\% тактов}\when{unit}{fma}{занимает устройства умножения со сложением в
--   \range{least}{share}\,\% тактов}\when{unit}{issue}{занимает \range{least}{share}\,\% слотов выдачи
--   команд}\when{unit}{shared}{занимает разделяемую память в \range{least}{share}\,\%
--   тактов}\when{unit}{wait}{ждёт: ни одно исполнительное устройство не занято больше чем в \fact{share}\,\% тактов}.
-- facts
WITH spent AS (
    SELECT k.host, k.experiment, k.variant, k.precision, k.n, c.host_ord, k.cycles,
           substr(k.variant, 1, instr(k.variant, '/') - 1) AS problem,
           k.tensor_instructions > k.pair_instructions AS on_tensor,
           100.0 * k.issue_cycles / (4 * k.cycles) AS issue, 100.0 * k.fma_cycles / (8 * k.cycles) AS fma,
           100.0 * k.tensor_cycles / (4 * k.cycles) AS tensor,
           100.0 * (k.shared_load_wavefronts + k.shared_store_wavefronts) / k.cycles AS shared
    FROM counters k JOIN chosen c USING (host, experiment) JOIN variant_facts v USING (host, experiment, variant)
    WHERE k.status = 'ok' AND k.cycles > 0 AND v.library IS NULL
      AND NOT EXISTS (SELECT 1 FROM faulty f
                      WHERE f.host = k.host AND f.variant = k.variant AND f.source_hash IS k.source_hash)),
-- At each n the fastest kernel on tensor cores and the fastest one on other cores.
busiest AS (
    SELECT *, row_number() OVER (PARTITION BY host, experiment, problem, precision, on_tensor, n
                                 ORDER BY cycles) AS turn,
           max(issue, coalesce(fma, 0), coalesce(tensor, 0), coalesce(shared, 0)) AS share
    FROM spent),
-- Between the two limits another unit may be what bounds a kernel, so that nothing is said.
judged AS (
    SELECT *, CASE WHEN share < 25 THEN 'wait' WHEN share < 75 THEN NULL WHEN tensor = share THEN 'tensor'
                   WHEN fma = share THEN 'fma' WHEN shared = share THEN 'shared' ELSE 'issue' END AS unit
    FROM busiest WHERE turn = 1)
SELECT host, experiment, variant AS idea, precision, min(n) AS least_n, max(n) AS n, sig(min(share)) AS least,
       sig(max(share)) AS share, unit
FROM judged WHERE unit IS NOT NULL GROUP BY host, experiment, variant, precision, unit
ORDER BY host_ord, experiment, problem DESC, precision, on_tensor, unit;
