-- What do block sizes computed from the caches miss? SPDX-License-Identifier: MIT
-- asks.ru: Сколько скорости теряется на размерах блоков, вычисленных по кэшам
-- says: With \code{setting} \code{base} \speed{} itself with the sizes that it computes from the
--   caches\judged{} (\fact{precision}, $n = \fact{n}$, \fact{threads}~\plural{threads}{thread}{threads}); it is the
--   best of \fact{tried} settings.
-- says.ru: При \code{setting} \code{base} \speed{} вариант с размерами, вычисленными по кэшам\judged{}
--   (\fact{precision}, $n = \fact{n}$, потоков: \fact{threads}); это лучшая из опробованных настроек (всего:
--   \fact{tried}).
-- rank: 26
-- chapter: matmul
-- facts
WITH sized AS (
    SELECT *, mc IS NULL AND nc IS NULL AND kc IS NULL AS chosen, drop_axes(settings, 'mc nc kc') AS other
    FROM compared WHERE problem = 'matmul' AND NOT vendor),
pair AS (
    SELECT s.*, b.median_s / s.median_s AS x, ratio_low(b.span, s.span) AS x_low, ratio_high(b.span, s.span) AS x_high,
           all_flags(s.flagged, b.flagged) AS either, coalesce(s.weak, b.weak) AS either_weak,
           count(*) OVER (PARTITION BY s.host, s.experiment, s.variant, s.other) AS tried,
           row_number() OVER (PARTITION BY s.host, s.experiment
                              ORDER BY s.n DESC, s.threads DESC, s.precision, s.median_s) AS turn
    FROM sized s JOIN sized b USING (host, experiment, variant, other, machine)
    WHERE b.chosen AND NOT s.chosen)
SELECT host, experiment, idea || ', ' || trim(pick(settings, 'mc nc kc')) AS variant, idea AS base, precision, n,
       threads, trim(pick(settings, 'mc nc kc')) AS setting, tried,
       ratio(x) AS ratio, ratio(x_low) AS low, ratio(x_high) AS high, verdict(x, x_low, x_high, either_weak) AS verdict,
       either AS flagged, ratio(1 / x) AS cost_ratio, ratio(1 / x_high) AS cost_low, ratio(1 / x_low) AS cost_high,
       either AS cost_flagged, iif(x < 1, 1, 0) AS slower
FROM pair WHERE turn = 1 ORDER BY host_ord, study_ord;
