-- A ladder of GPU kernels: what each rung adds, its speed, and the counters that tell why. SPDX-License-Identifier: MIT
-- caption: The rungs of the ladder in the order in which they add ideas\each{. \hostbrief{}: $n = \fact{n}$}.
--   \emph{Gain} is the speed over that of the rung before, in brackets where it is undecided which is
--   faster\anyfact{counted}{. Counts are for a thousand multiply-adds that are needed}
-- caption.ru: Ступени лестницы\each{. \hostbrief{}: $n = \fact{n}$}. \emph{Рост} — отношение к скорости предыдущей
--   ступени, в скобках — если не установлено, какая быстрее\anyfact{counted}{. Счётчики — на тысячу необходимых
--   умножений со сложением}
--
CREATE TEMP TABLE shown AS
SELECT coalesce((SELECT n FROM counted GROUP BY n ORDER BY count(*) DESC, n DESC LIMIT 1),
                (SELECT n FROM good WHERE side = 'GPU' GROUP BY n ORDER BY count(*) DESC, n DESC LIMIT 1)) AS n;

-- group
-- align: llrrrrrrrrr
WITH rung AS (
    SELECT g.*, lag(g.median_s) OVER before AS before_s, lag(g.flagged) OVER before AS before_flagged,
           lag(g.weak) OVER before AS before_weak, lag(g.span) OVER before AS before_span
    FROM good g JOIN shown USING (n) WHERE g.side = 'GPU' AND g.library IS NULL
    WINDOW before AS (PARTITION BY g.problem, g.precision ORDER BY g.ord)),
gain AS (
    SELECT cell, before_s / median_s AS gain, all_flags(flagged, before_flagged) AS flagged,
           verdict(before_span, span, coalesce(before_weak, weak)) AS verdict
    FROM rung)
SELECT r.problem || ' ' || r.precision AS "Problem", r.idea AS "Rung",
       marked(sig(r.gflops), r.flagged) AS "GFLOP/s",
       iif(s.verdict IN ('undecided', 'single'), '(' || marked(ratio(s.gain), s.flagged) || ')',
           marked(ratio(s.gain), s.flagged)) AS "Gain",
       marked(sig(100 * v.median_s / r.median_s), r.flagged, v.flagged) AS "% of library",
       sig(p.share) AS "% of peak", sig(p.executed_share) AS "% executed",
       sig(1000.0 * (c.shared_load_wavefronts + c.shared_store_wavefronts) / (r.flops / 2), 3) AS "Wavefronts",
       sig(1000.0 * (c.global_load_sectors + c.global_store_sectors) / (r.flops / 2), 3) AS "Sectors",
       sig(1000.0 * iif(r.precision = 'i32', c.integer, c.ffma + c.dfma) / (r.flops / 2), 3) AS "Multiply-adds",
       si(nullif(c.tensor_instructions - c.pair_instructions, 0), '') AS "Tensor"
FROM rung r JOIN gain s USING (cell)
LEFT JOIN vendor v USING (task, side, contract) LEFT JOIN peak p ON p.cell = r.cell
LEFT JOIN counted c ON c.cell = r.cell
ORDER BY r.problem DESC, r.precision, r.ord;

-- facts
SELECT :host AS host, max(g.n) AS n, max(iif(c.cell IS NULL, NULL, 1)) AS counted
FROM good g JOIN shown USING (n) LEFT JOIN counted c USING (cell)
WHERE g.side = 'GPU' AND g.library IS NULL HAVING count(*) > 0;
