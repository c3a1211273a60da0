-- How far times of one cell lie apart, as a table, and facts for the text beside it. Of more folders than :most only
-- the first one and pairs of two folders have rows. Probes have some if :probes is yes.
-- SPDX-License-Identifier: MIT
-- needs: between.sql
-- says: Some cells of this record were measured again with the same code: in another launch, in another run, or on
--   another machine of the kind. \anyfact{median}{Of two runs of a kernel the slower one took so many times as long as
--   the faster one: }\each{\iffact{named}{\emph{\host.} }\when{device}{gpu}{GPU}\when{device}{few}{Few threads of a
--   CPU}\when{device}{all}{All threads of a CPU}: \fact{median} at the median\iffact{p90}{ and \fact{p90} at the 90th
--   percentile} (\fact{pairs}~\plural{pairs}{pair}{pairs}). }\anyfact{median}{A smaller difference between two studies
--   means nothing.}
-- says.ru: Часть ячеек измерена с тем же кодом ещё раз: в другом запуске рабочего процесса, в другом исследовании или
--   на другой машине того же типа. \anyfact{median}{Приведено отношение большего из двух времён варианта к меньшему.
--   }\each{\iffact{named}{\emph{\host.} }\when{device}{gpu}{GPU}\when{device}{few}{Часть потоков
--   CPU}\when{device}{all}{Все потоки CPU}: медиана \fact{median}\iffact{p90}{, 90-й процентиль \fact{p90}}; пар:
--   \fact{pairs}. }\anyfact{median}{Меньшее различие двух исследований ничего не значит.}
-- group
-- align: llllrrrrrrrr
SELECT iif(host IS NULL OR (SELECT count(DISTINCT coalesce(host, '')) FROM spread) > 1,
           iif(host = 'local', 'this machine', coalesce(host, 'several folders')), NULL) AS "Host",
       device AS "Device", iif(:probes = 'yes', work, NULL) AS "What", measured_in AS "Measured again in",
       cells AS "Cells", pairs AS "Pairs",
       printf('%.3f', median) AS "Median", iif(enough, printf('%.3f', p75), NULL) AS "75 %",
       iif(enough, printf('%.3f', p90), NULL) AS "90 %",
       marked(printf('%.3f', largest), flagged) AS "Largest", printf('%.1f', 100 * above) AS "Over 1.1, %",
       iif(apart IS NULL, NULL, printf('%.1f', 100 * apart)) AS "Apart, %"
FROM measured_again
WHERE (:probes = 'yes' OR NOT probe)
  AND (host IS NULL OR ord = 0 OR (SELECT count(DISTINCT host) FROM spread) <= CAST(:most AS INTEGER)) ORDER BY row;

-- The kernels that were measured in several runs. `named`: 1 in the first row of each host, if there are several hosts.
-- facts
SELECT host, iif((SELECT count(DISTINCT host) FROM spread) > 1
                 AND row_number() OVER (PARTITION BY host ORDER BY device = 'GPU', device = 'CPU, all threads') = 1,
                 1, NULL) AS named,
       CASE device WHEN 'GPU' THEN 'gpu' WHEN 'CPU, all threads' THEN 'all' ELSE 'few' END AS device, pairs,
       printf('%.3f', median) AS median, iif(enough, printf('%.3f', p90), NULL) AS p90
FROM spread JOIN hosts h USING (host)
WHERE place = 'run' AND NOT probe
  AND (h.ord = 0 OR (SELECT count(DISTINCT host) FROM spread) <= CAST(:most AS INTEGER))
ORDER BY h.ord, device = 'GPU', device = 'CPU, all threads';
