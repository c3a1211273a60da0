-- Operations that the GPU executed against 2n^3, and the efficiency that follows. SPDX-License-Identifier: MIT
-- caption: The laboratory's metrics: time and rate\anyfact{executed}{, and the operations that a launch
--   executed}\each{\iffact{efficiency}{. \hostbrief{}, $N = \fact{n}$: the highest efficiency of an own variant is
--   \fact{efficiency}, of \code{idea}}}
-- caption.ru: Метрики лабораторной: время и скорость\anyfact{executed}{, а также операции, выполненные за
--   запуск}\each{\iffact{efficiency}{. \hostbrief{}, $N = \fact{n}$: наибольшая эффективность своего варианта —
--   \fact{efficiency}, у \code{idea}}}
--
-- group
WITH executed AS (
    SELECT cell, 2 * coalesce(ffma, 0) + coalesce(fadd, 0) + coalesce(fmul, 0)
                 + 2 * coalesce(dfma, 0) + coalesce(dadd, 0) + coalesce(dmul, 0) AS operations FROM counted)
SELECT g.idea || coalesce(', tile ' || g.tile, '') || coalesce(' + ' || g.padding, '') AS "Variant", g.n AS "N",
       printf('%,d', 2 * g.n * g.n * g.n) AS "2n³",
       iif(e.operations IS NULL, NULL, printf('%,d', e.operations)) AS "Executed",
       sig(0.5 * e.operations / (g.n * g.n * g.n), 4) AS "of 2n³",
       marked(si(g.median_s, 's'), g.flagged) AS "Time", sig(e.operations / g.median_s / 1e9, 3) AS "GFLOP/s executed",
       sig(2e-7 * g.n * g.n * g.n / g.median_s / p.gflops, 3) AS "2n³, % of peak",
       sig(100 * e.operations / g.median_s / 1e9 / p.gflops, 3) AS "Efficiency, %"
FROM good g JOIN bank_n USING (n) LEFT JOIN executed e USING (cell) LEFT JOIN peak p USING (cell)
WHERE g.side = 'GPU' ORDER BY g.precision, g.ord, g.tile DESC, g.padding;

-- facts
WITH executed AS (
    SELECT cell, 2 * coalesce(ffma, 0) + coalesce(fadd, 0) + coalesce(fmul, 0)
                 + 2 * coalesce(dfma, 0) + coalesce(dadd, 0) + coalesce(dmul, 0) AS operations FROM counted)
SELECT :host AS host, g.n, g.idea, e.operations AS executed,
       marked(sig(100 * e.operations / g.median_s / 1e9 / p.gflops), g.flagged) || ' %' AS efficiency
FROM good g JOIN bank_n USING (n) JOIN executed e USING (cell) LEFT JOIN peak p USING (cell)
WHERE g.side = 'GPU' AND NOT g.vendor ORDER BY p.gflops IS NULL, e.operations / g.median_s DESC LIMIT 1;
