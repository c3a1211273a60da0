-- What is known of a cell, why it is as slow as it is, and what to type. SPDX-License-Identifier: MIT
-- cell: \code{variant} \fact{settings} (\fact{experiment}, \fact{host}, \fact{cell})
-- cell.ru: \code{variant} \fact{settings} (\fact{experiment}, \fact{host}, \fact{cell})
-- outcome: \when{status}{ok}{Measured: \fact{time}\iffact{low}{ [\fact{low}, \fact{high}]}\iffact{rate}{,
--   \fact{rate}}\iffact{share}{, \fact{share}\,\% of the measured peak}\iffact{library}{,
--   \fact{of_library}\,\% of the speed of \code{library}}.}\whennot{status}{ok}{No time: \code{status}\iffact{reason}{,
--   \fact{reason}}.}
-- outcome.ru: \when{status}{ok}{Измерено: \fact{time}\iffact{low}{ [\fact{low}; \fact{high}]}\iffact{rate}{,
--   \fact{rate}}\iffact{share}{, \fact{share}\,\% измеренного пика}\iffact{library}{,
--   \fact{of_library}\,\% скорости \code{library}}.}\whennot{status}{ok}{Времени нет:
--   \code{status}\iffact{reason}{, \fact{reason}}.}
-- doubt: \iffact{doubts}{In doubt: \fact{doubts}.}\iffact{weak}{ The time decides nothing:
--   \fact{weak}.}\iffact{spread}{ The rounds differ by up to \fact{spread}\,\%.}\iffact{remarks}{ Remark:
--   \fact{remarks}.}
-- doubt.ru: \iffact{doubts}{Сомнения: \fact{doubts}.}\iffact{weak}{ По этому времени нельзя сделать вывод:
--   \fact{weak}.}\iffact{spread}{ Раунды расходятся до \fact{spread}\,\%.}\iffact{remarks}{ Замечание: \fact{remarks}.}
-- state: \iffact{stale}{Stale: the source of the variant has changed since.}
-- state.ru: \iffact{stale}{Устарело: исходный текст варианта с тех пор изменился.}
-- limit: \when{status}{ok}{\iffact{unit}{The limit is \fact{unit}, at \fact{busy}\,\%}\nofact{unit}{The limit is
--   unknown\iffact{busiest}{: the busiest is \fact{busiest}, at \fact{busy}\,\%}}\when{basis}{counters}{ (hardware
--   counters)}\when{basis}{model}{ (model and measured ceilings)}.}
-- limit.ru: \when{status}{ok}{\iffact{unit}{Предел — \fact{unit}, \fact{busy}\,\%}\nofact{unit}{Предел
--   неизвестен\iffact{busiest}{, больше всего — \fact{busiest}, \fact{busy}\,\%}}\when{basis}{counters}{
--   (счётчики)}\when{basis}{model}{ (модель и измеренные пределы)}.}
-- waits: \iffact{wait}{Warps wait most for \fact{wait}, \fact{waited}\,\% of their waiting\when{agrees}{1}{, which
--   agrees}\when{agrees}{0}{, which does not agree}.}
-- waits.ru: \iffact{wait}{Варпы ждут больше всего: \fact{wait}, \fact{waited}\,\% ожидания\when{agrees}{1}{, что
--   согласуется}\when{agrees}{0}{, что не согласуется}.}
-- removal: \iffact{removal}{\code{removal} removes this limit, and is \ratio[gain_]{} times as fast.}\when{last}{1}{Of
--   the own variants of the study on this device and as many threads, no faster one has another known limit.}
-- removal.ru: \iffact{removal}{Этот предел снимает \code{removal}, он в \ratio[gain_]{}
--   \forms{gain_ratio}{раз}{раза}{раз} быстрее.}\when{last}{1}{Среди своих вариантов исследования на этом устройстве с
--   тем же числом потоков более быстрого с другим известным пределом нет.}
-- type: \iffact{command}{Type: \code{command}}\iffact{elsewhere}{, with the path of \code{elsewhere} for its name}
-- type.ru: \iffact{command}{Наберите: \code{command}}\iffact{elsewhere}{, с путём к \code{elsewhere} вместо имени}
--
-- `tilelab why` prints the texts in this order, each on a line of its own, where there is something to say. The
-- parameter :cell is the beginning of the id of a cell, or a pattern of variants; suits() takes :conditions. What a
-- command is made of: :program, :data, which is the option of each host as JSON, and :here, the studies whose files
-- this folder has, between blanks.
CREATE TEMP TABLE asked AS
SELECT * FROM described
WHERE (length(:cell) > 3 AND cell GLOB lower(:cell) || '*' OR matches(variant, :cell))
  AND suits(settings, coalesce(:conditions, ''));

CREATE TEMP TABLE bound AS SELECT * FROM removals;

-- facts
WITH named AS (
    SELECT a.host, a.experiment, a.cell,
           group_concat(iif(doubt(flag(m.name)), m.name || ', ' || translated(m.meaning), NULL), '; ') AS doubts,
           group_concat(iif(doubt(flag(m.name)), NULL, m.name || ', ' || translated(m.meaning)), '; ') AS remarks
    FROM (SELECT *, '+' || coalesce(flags, '') || '+' AS list FROM asked) a
    JOIN marks m ON instr(a.list, '+' || m.name || '+')
    GROUP BY a.host, a.experiment, a.cell),
-- What to type: to measure, to count, or else to look at the machine code. Nothing helps where the variant does not
-- suit the cell, and more rounds decide nothing in a study that does not measure speed. A run that is longer than
-- the study allows is skipped, or measured once, whatever else is asked for: the limit is raised to twice its time.
typed AS (
    SELECT host, experiment, cell,
           CASE WHEN status = 'skipped' AND (reason GLOB '* has no * version*' OR reason GLOB '* is no multiple of *'
                                             OR reason GLOB 'the matrix takes *') THEN NULL
                WHEN status <> 'ok' OR stale OR unsound OR weak IS NOT NULL AND counts
                THEN ' run ' || experiment || ' --only ' || variant || ' --set n=' || n
                     || iif(profile IN ('full', 'record'), ' --profile ' || profile, '')
                     || CASE WHEN reason GLOB '*skip-above*'
                             THEN ' --set skip-above='
                                  || CAST(2 * substr(reason, instr(reason, 'take ') + 5) + 1 AS INTEGER) || 's'
                             WHEN '+' || flags || '+' GLOB '*+once+*'
                             THEN ' --set once-above='
                                  || CAST(2 * max(median_s, coalesce(predicted_s, 0)) + 1 AS INTEGER) || 's' ELSE '' END
                     || CASE WHEN stale OR status IN ('skipped', 'withdrawn') THEN ''
                             WHEN status <> 'ok' THEN ' --retry' ELSE ' --again' END
                WHEN backend = 'cuda'
                  AND (host, experiment, cell) NOT IN (SELECT host, experiment, cell FROM bound WHERE NOT by_model)
                THEN ' count ' || experiment || ' --profile ' || coalesce(profile, 'quick')
                     || ' --variant ' || variant || ' --n ' || n
                WHEN NOT vendor THEN ' show --assembly ' || variant END AS command
    FROM asked),
commands AS (
    SELECT host, experiment, cell,
           :program || command || iif(reads, json_extract(:data, '$."' || host || '"'), '') AS command,
           iif(reads AND NOT instr(:here, ' ' || experiment || ' '), experiment || '.yaml', NULL) AS elsewhere
    FROM (SELECT *, command NOT GLOB ' show *' AS reads FROM typed))
SELECT a.host, a.experiment, a.cell, a.variant,
       drop_axes(a.settings, iif(a.square, 'm k', '')) AS settings, a.status, nullif(trim(a.reason, '.'), '') AS reason,
       marked(si(a.median_s, 's'), a.flagged) AS time, iif(a.ci_lo_s < a.ci_hi_s, si(a.ci_lo_s, 's'), NULL) AS low,
       si(a.ci_hi_s, 's') AS high,
       iif(a.by_bytes, si(1e9 * a.gbs, 'B/s'), si(1e9 * a.gflops, iif(a.precision = 'i32', 'op/s', 'FLOP/s'))) AS rate,
       sig(p.share) AS share, iif(a.vendor, NULL, v.title) AS library,
       sig(100 * v.median_s / a.median_s) AS of_library, d.doubts, d.remarks,
       iif(a.status = 'ok' AND d.doubts IS NULL, a.weak, NULL) AS weak,
       sig(100 * (a.ci_hi_s - a.ci_lo_s) / a.median_s, 2) AS spread,
       iif(a.stale AND a.status <> 'skipped', 1, NULL) AS stale,
       l.unit, l.busiest, sig(100 * l.share, 2) AS busy,
       CASE l.by_model WHEN 0 THEN 'counters' WHEN 1 THEN 'model' END AS basis,
       l.wait, sig(100 * l.waited, 2) AS waited, l.agrees, l.idea AS removal, ratio(l.x) AS gain_ratio,
       ratio(l.x_low) AS gain_low, ratio(l.x_high) AS gain_high, l.flagged AS gain_flagged,
       iif(l.last AND NOT a.vendor, 1, NULL) AS last, t.command, t.elsewhere
FROM asked a JOIN commands t USING (host, experiment, cell) LEFT JOIN named d USING (host, experiment, cell)
LEFT JOIN peaks p USING (host, experiment, cell) LEFT JOIN bound l USING (host, experiment, cell)
LEFT JOIN library_cells v ON v.host = a.host AND v.experiment = a.experiment AND v.task = a.task AND v.side = a.side
  AND v.contract = a.contract AND v.place = 1
ORDER BY a.experiment, a.probe, a.ord, a.variant, a.n, a.settings;
