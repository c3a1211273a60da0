-- What does a tile gain on the CPU? SPDX-License-Identifier: MIT
-- asks.ru: Что даёт тайл на процессоре
-- says: \iffact{fast_ratio}{That depends on the order of the loops and on the program. }In the order \fact{loops} the
--   program with the best tile (\code{idea}, tile \fact{tile}) \speed{} the one without a tile
--   (\code{base}\iffact{opt}{, both at \texttt{-\fact{opt}}})\judged{} (\fact{precision}, $n =
--   \fact{n}$\iffact{threads}{, \fact{threads}~\plural{threads}{thread}{threads}}\nofact{threads}{, one thread}:
--   \fact{time} against \fact{base_time})\iffact{most_ratio}{; at $n = \fact{most_n}$ tile \fact{most_tile} is
--   \ratio[most_]{times as fast}\judged[most_]}\iffact{next_tile}{; whether tile \fact{tile} or \fact{next_tile} is
--   faster is undecided}\iffact{fast_ratio}{. In the fast order ikj the best tile (\code{fast_idea}, tile
--   \fact{fast_tile}) is \ratio[fast_]{times as fast} as no tile\judged[fast_] (\fact{fast_precision}, $n =
--   \fact{fast_n}$\iffact{fast_study}{, study \code{fast_study}}: \fact{fast_time} against
--   \fact{fast_base_time})\iffact{best_ratio}{. \iffact{best_threads}{On
--   \fact{best_threads}~\plural{best_threads}{thread}{threads} }\code{best_idea} is \ratio[best_]{times as fast} as
--   \code{best_base}\judged[best_] (\fact{best_precision}, $n = \fact{best_n}$\iffact{best_study}{, study
--   \code{best_study}}: \fact{best_time} against \fact{best_base_time})}}.
-- says.ru: \iffact{fast_ratio}{Это зависит от порядка циклов и от программы. }В порядке \fact{loops} программа с лучшим
--   тайлом (\code{idea}, тайл \fact{tile}) \speed{} программа без тайла (\code{base}\iffact{opt}{, обе с
--   \texttt{-\fact{opt}}})\judged{} (\fact{precision}, $n = \fact{n}$\iffact{threads}{, потоков:
--   \fact{threads}}\nofact{threads}{, один поток}: \fact{time} против \fact{base_time})\iffact{most_ratio}{; при $n =
--   \fact{most_n}$ отношение скоростей (тайл \fact{most_tile}) — \ratio[most_]\judged[most_]}\iffact{next_tile}{; какой
--   тайл быстрее, \fact{tile} или \fact{next_tile}, не установлено}\iffact{fast_ratio}{. В быстром порядке ikj лучший
--   тайл (\code{fast_idea}, тайл \fact{fast_tile}) даёт ускорение \ratio[fast_]\judged[fast_] (\fact{fast_precision},
--   $n = \fact{fast_n}$\iffact{fast_study}{, исследование \code{fast_study}}: \fact{fast_time} против
--   \fact{fast_base_time})\iffact{best_ratio}{. \iffact{best_threads}{На
--   \fact{best_threads}~\forms{best_threads}{потоке}{потоках}{потоках} }\code{best_idea} быстрее, чем \code{best_base},
--   в \ratio[best_]{\forms{best_ratio}{раз}{раза}{раз}}\judged[best_] (\fact{best_precision}, $n =
--   \fact{best_n}$\iffact{best_study}{, исследование \code{best_study}}: \fact{best_time} против
--   \fact{best_base_time})}}.
-- lacks: No CPU ran a product with tiles beside the same loops without a tile in several rounds.
-- lacks.ru: Ни на одном процессоре нет произведения с тайлами и тех же циклов без тайла в нескольких раундах.
-- rank: 24
-- answer: 2
-- evidence: table granular-231, table best
-- chapter: matmul
--
-- The base of a gain has the same loops, threads and level of optimisation. Of the rows that may give a verdict, the
-- first is of the loops ijk at -O2, with which the sources begin. Such a row also tells what a tile gains in the
-- order ikj in any study of the host: `fast` on as many threads, and `best` where a tile gains most. `next_tile`: the
-- second best one, where it may be the best.
-- facts
WITH tiled AS (
    SELECT *, iif(base GLOB '*-ijk', 'ijk', 'ikj') AS loops, idea <> 'seq-tiled-ijk' OR opt IS NOT 'O2' AS later,
           is_large(n, max(n) OVER (PARTITION BY host, experiment, idea)) AS large
    FROM versus
    WHERE problem = 'matmul' AND side = 'CPU' AND threads IS base_threads AND opt IS base_opt AND place = 1
      AND base_place = 1
      AND (idea IN ('omp-tiled', 'omp-tiled-local', 'omp-tiled-collapse') AND base = 'omp-ikj'
           OR idea = 'seq-tiled' AND base = 'seq-ikj' OR idea = 'seq-tiled-ijk' AND base = 'seq-ijk')),
found AS (
    SELECT *, row_number() OVER (PARTITION BY host, experiment
                                 ORDER BY later, x_low IS NULL, NOT large, weak IS NOT NULL, n DESC,
                                          coalesce(threads, 0) DESC, precision, x DESC) AS turn
    FROM tiled),
-- The same variants at the largest n, where a single run may be all there is.
largest AS (
    SELECT *, row_number() OVER (PARTITION BY host, experiment, idea, precision, coalesce(threads, 0)
                                 ORDER BY n DESC, x_low IS NULL, x DESC) AS turn
    FROM tiled),
fast AS (
    SELECT *, row_number() OVER (PARTITION BY host, coalesce(threads, 0)
                                 ORDER BY x_low IS NULL, NOT large, weak IS NOT NULL, n DESC, precision, x DESC) AS turn
    FROM tiled WHERE loops = 'ikj'),
best AS (
    SELECT *, row_number() OVER (PARTITION BY host ORDER BY x DESC) AS turn
    FROM tiled WHERE loops = 'ikj' AND large AND weak IS NULL AND verdict = 'faster')
SELECT f.host, f.experiment, f.loops, f.opt, f.precision, f.n, f.threads, f.tile, f.idea, f.base, f.time, f.base_time,
       f.ratio, f.low, f.high, f.verdict, f.flagged, f.cost_ratio, f.cost_low, f.cost_high, f.cost_flagged, f.slower,
       l.n AS most_n, l.tile AS most_tile, l.ratio AS most_ratio, l.low AS most_low, l.high AS most_high,
       l.flagged AS most_flagged, l.verdict AS most_verdict,
       (SELECT v.base_tile FROM versus v
        WHERE v.host = f.host AND v.experiment = f.experiment AND v.task = f.task AND v.cell = f.cell
          AND v.base = v.idea AND v.base_place = 2 AND v.threads IS v.base_threads AND v.base_tile <> v.tile
          AND v.verdict = 'undecided')
         AS next_tile,
       k.idea AS fast_idea, k.tile AS fast_tile, k.time AS fast_time, k.base_time AS fast_base_time,
       k.ratio AS fast_ratio, k.low AS fast_low, k.high AS fast_high,
       k.flagged AS fast_flagged, k.verdict AS fast_verdict, k.precision AS fast_precision, k.n AS fast_n,
       nullif(k.experiment, f.experiment) AS fast_study, nullif(b.experiment, f.experiment) AS best_study,
       b.idea AS best_idea, b.base AS best_base, b.time AS best_time, b.base_time AS best_base_time,
       b.threads AS best_threads, b.ratio AS best_ratio, b.low AS best_low, b.high AS best_high,
       b.flagged AS best_flagged, b.verdict AS best_verdict, b.precision AS best_precision, b.n AS best_n
FROM found f LEFT JOIN largest l ON l.turn = 1 AND l.host = f.host AND l.experiment = f.experiment AND l.idea = f.idea
  AND l.precision = f.precision AND l.threads IS f.threads AND l.n > f.n
LEFT JOIN fast k ON k.turn = 1 AND k.host = f.host AND f.loops = 'ijk' AND k.threads IS f.threads
LEFT JOIN best b ON b.turn = 1 AND b.host = k.host AND b.x > k.x
WHERE f.turn = 1 ORDER BY f.host_ord, f.x_low IS NULL, f.weak IS NOT NULL, f.later, f.n DESC, f.study_ord;
