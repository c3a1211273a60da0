-- From which n does the GPU win, with pageable, pinned and resident operands? SPDX-License-Identifier: MIT
-- asks.ru: С какого n выигрывает GPU: с обычной памятью, с закреплённой и без копирования
-- says: \code{idea} overtakes \code{base} on \iffact{varied}{the best number of CPU
--   threads}\nofact{varied}{\fact{threads}~\plural{threads}{thread}{threads}} with copies from pageable memory
--   \iffact{pageable}{at $n$ \fact{pageable}}\nofact{pageable}{at no size for certain}, \iffact{pinned_ratio}{from
--   pinned memory \iffact{pinned}{at $n$ \fact{pinned}}\nofact{pinned}{at no size for certain},
--   }\nofact{pinned_ratio}{(pinned memory was not measured) }with resident operands \iffact{resident}{at $n$
--   \fact{resident}}\nofact{resident}{at no size for certain}. At $n = \fact{n}$ (\fact{precision}) it is \ratio{}
--   times as fast with copies from pageable memory\judged, \iffact{pinned_ratio}{\ratio[pinned_]{} times from pinned
--   memory\judged[pinned_], }\ratio[kernel_]{} times without copies\judged[kernel_].
-- says.ru: \code{idea} обгоняет \code{base} \iffact{varied}{на лучшем числе потоков}\nofact{varied}{(потоков:
--   \fact{threads})} с копированием из обычной памяти
--   \iffact{pageable}{при $n$ \fact{pageable}}\nofact{pageable}{достоверно ни при каком размере}, из закреплённой —
--   \iffact{pinned_ratio}{\iffact{pinned}{при $n$ \fact{pinned}}\nofact{pinned}{достоверно ни при каком
--   размере}}\nofact{pinned_ratio}{не измерено}, без копирования —
--   \iffact{resident}{при $n$ \fact{resident}}\nofact{resident}{достоверно ни при каком размере}. При $n = \fact{n}$
--   (\fact{precision}) отношение скоростей с копированием из обычной памяти — \ratio\judged,
--   \iffact{pinned_ratio}{из закреплённой — \ratio[pinned_]\judged[pinned_], }без копирования —
--   \ratio[kernel_]\judged[kernel_].
-- lacks: No machine measured a library on the GPU, with its copies, beside one on the CPU.
-- lacks.ru: Ответа нет: ни на одной машине библиотека на GPU с копированием не измерена рядом с библиотекой на
--   процессоре.
-- rank: 8
-- answer: 5
-- evidence: figure gpu-over-cpu, table conditions
-- chapter: matmul
-- `study`: the one whose figure shows the sizes of all studies.
-- facts
WITH pairs AS (
    SELECT p.*, c.most_n, c.varied, c.size, a.ord AS host_ord, s.study_ord
    FROM library_pairs p JOIN crossings c USING (host, experiment, problem, precision, operands)
    JOIN chosen USING (host, experiment) JOIN about a USING (host) JOIN study s USING (experiment)
    WHERE p.problem = 'matmul'),
found AS (
    SELECT a.*, r.size AS resident, r.x AS kernel_x, r.x_low AS kernel_x_low, r.x_high AS kernel_x_high,
           r.flagged AS kernel_flagged, r.verdict AS kernel_verdict, p.size AS pinned, p.x AS pinned_x,
           p.x_low AS pinned_x_low, p.x_high AS pinned_x_high, p.flagged AS pinned_flagged,
           p.verdict AS pinned_verdict,
           row_number() OVER (PARTITION BY a.host, a.experiment ORDER BY p.x IS NULL, a.n DESC, a.precision) AS turn
    FROM pairs a JOIN pairs r USING (host, experiment, precision, n)
    LEFT JOIN pairs p ON p.host = a.host AND p.experiment = a.experiment AND p.precision = a.precision AND p.n = a.n
      AND p.operands = 'pinned'
    WHERE a.operands = 'pageable' AND a.n = a.most_n AND r.operands = 'resident')
SELECT host, experiment,
       (SELECT g.experiment FROM figures g JOIN study s USING (experiment)
        WHERE g.host = found.host AND g.name = 'gpu-over-cpu' ORDER BY s.study_ord LIMIT 1) AS study,
       precision, n, gpu AS idea, cpu AS base, threads, varied, size AS pageable, pinned, resident,
       ratio(x) AS ratio, ratio(x_low) AS low, ratio(x_high) AS high, flagged, verdict,
       ratio(pinned_x) AS pinned_ratio, ratio(pinned_x_low) AS pinned_low, ratio(pinned_x_high) AS pinned_high,
       pinned_flagged, pinned_verdict, ratio(kernel_x) AS kernel_ratio, ratio(kernel_x_low) AS kernel_low,
       ratio(kernel_x_high) AS kernel_high, kernel_flagged, kernel_verdict
FROM found WHERE turn = 1 ORDER BY host_ord, pinned_x IS NULL, n DESC, study_ord;
