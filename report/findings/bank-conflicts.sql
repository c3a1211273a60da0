-- What do bank conflicts cost? SPDX-License-Identifier: MIT
-- asks.ru: Сколько стоят конфликты банков
-- says: By the bank model each store of the transposed tile takes
--   \fact{wavefronts}~\plural{wavefronts}{pass}{passes} through the banks (wavefronts) in \code{base} and
--   \fact{rest} in \code{idea}, which has padding: \code{base} takes \ratio{times the time}\judged{}
--   (\fact{precision}, $n = \fact{n}$, tile \fact{tile}: \fact{base_time} against \fact{time}).
-- says.ru: По модели банков запись транспонированного тайла занимает в \code{base}
--   \fact{wavefronts}~\forms{wavefronts}{проход}{прохода}{проходов} по банкам (волны), в \code{idea}, где есть
--   дополнение, — \fact{rest}; время \code{base} относительно \code{idea} — \ratio\judged{} (\fact{precision}, $n =
--   \fact{n}$, тайл \fact{tile}: \fact{base_time} против \fact{time}).
-- lacks: No GPU ran the kernels B and B* with one tile in several rounds.
-- lacks.ru: Ни на одном GPU нет ядер B и B* с одним тайлом в нескольких раундах.
-- rank: 15
-- answer: 6
-- evidence: figure lab5-5
-- chapter: aat
--
-- The facts name no study, as the section tells more of the kernels A and B.
-- facts
WITH sized AS (
    SELECT *, is_large(n, max(n) OVER (PARTITION BY host)) AS large FROM versus
    WHERE problem = 'aat' AND idea = 'cuda-b-pad' AND padding = 1 AND base = 'cuda-b' AND tile = base_tile),
found AS (
    SELECT *, row_number() OVER (PARTITION BY host, experiment
                                 ORDER BY x_low IS NULL, NOT large, weak IS NOT NULL, tile DESC, n DESC,
                                          precision) AS turn
    FROM sized),
stores AS (
    SELECT f.*, (SELECT max((s.value ->> '$.wavefronts') / (s.value ->> '$.instructions'))
                 FROM json_each(known_model(base_variant, base_settings), '$.sites') s
                 WHERE s.value ->> '$.space' = 'shared' AND s.value ->> '$.direction' = 'store') AS wavefronts,
           (SELECT max((s.value ->> '$.wavefronts') / (s.value ->> '$.instructions'))
            FROM json_each(known_model(variant, settings), '$.sites') s
            WHERE s.value ->> '$.space' = 'shared' AND s.value ->> '$.direction' = 'store') AS rest
    FROM found f WHERE turn = 1)
SELECT host, experiment AS study, idea, base, precision, n, tile, wavefronts, rest, time, base_time, ratio, low, high,
       verdict, flagged
FROM stores JOIN (SELECT experiment, problem AS first_problem FROM study) USING (experiment)
ORDER BY host_ord, x_low IS NULL, NOT large, weak IS NOT NULL, n DESC, first_problem <> 'aat', study_ord;
