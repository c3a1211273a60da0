-- GFLOP/s of the laboratory's programs over n: the plot of table lab5-3. SPDX-License-Identifier: MIT
-- problems: matmul
-- title: GFLOP/s of the laboratory's programs
-- title.ru: Скорость программ лабораторной работы
-- caption: The laboratory's programs, as far as they ran\each{. \hostbrief{}: at $n = \fact{n}$ the fastest is
--   \code{idea} with \fact{rate}}
-- caption.ru: Программы лабораторной работы, насколько они выполнялись\each{. \hostbrief{}: при $n = \fact{n}$ быстрее
--   всех \code{idea}, \fact{rate}}
--
-- name: curves
SELECT g.idea AS curve, c.style AS curve_style, 0 AS curve_dash, g.n, max(g.gflops) AS y,
       rate_low(g.gflops, g.span) AS low, rate_high(g.gflops, g.span) AS high, g.flagged
FROM good g JOIN curves c USING (cell)
WHERE g.idea IN ('seq-ijk', 'omp-ijk', 'cuda-global', 'cuda-shared')
GROUP BY g.idea, g.n ORDER BY g.ord, g.n;

-- scalars
SELECT min(gflops) AS y_least, max(gflops) AS y_most,
       (SELECT group_concat(n, ' ')
        FROM (SELECT DISTINCT n FROM good WHERE idea IN ('seq-ijk', 'omp-ijk', 'cuda-global', 'cuda-shared')
              ORDER BY n))
       AS sizes
FROM good WHERE idea IN ('seq-ijk', 'omp-ijk', 'cuda-global', 'cuda-shared');

-- facts
SELECT :host AS host, n, idea, marked(si(1e9 * gflops, 'FLOP/s'), flagged) AS rate FROM good
WHERE idea IN ('seq-ijk', 'omp-ijk', 'cuda-global', 'cuda-shared') ORDER BY n DESC, gflops DESC LIMIT 1;
