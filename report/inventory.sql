-- What `tilelab list --results` prints: a row for each study of `held`, a table of the program that says what the files
-- of a study take. Parameter: :here, the hash of this machine. Skipped cells count as skipped, and no more.
-- SPDX-License-Identifier: MIT
-- align: llrrrrrrrrrlrrr
WITH row AS (
    SELECT r.experiment AS study, coalesce(r.profile, e.profile) AS profile, status, status <> 'skipped' AS ran,
           status IN ('ok', 'withdrawn') AS ok, flags, '+' || coalesce(flags, '') || '+' AS flag_list, stale,
           machine_hash
    FROM results r LEFT JOIN experiments e ON e.name = r.experiment),
counted AS (
    SELECT study, replace(group_concat(DISTINCT profile) FILTER (WHERE ran), ',', '+') AS profile, sum(ok) AS ok,
           sum(NOT ran) AS skipped, sum(ran AND NOT ok) AS failed, sum(ran AND flags IS NOT NULL) AS flagged,
           sum(instr(flag_list, '+partial+') > 0) AS partial, sum(ran AND instr(flag_list, '+simulated+')) AS simulated,
           sum(ran AND coalesce(stale, 0)) AS stale, count(machine_hash) FILTER (WHERE ran) AS told,
           sum(ran AND coalesce(machine_hash = :here, 0)) AS here
    FROM row GROUP BY study),
generation AS (
    SELECT experiment AS study, max(coalesce(generation, 1)) AS generations, sum(is_archived) AS archived
    FROM (SELECT experiment, generation, 0 AS is_archived FROM results
          UNION ALL SELECT experiment, generation, 1 FROM archive) GROUP BY experiment)
SELECT h.study, c.profile, coalesce(ok, 0) AS ok, coalesce(skipped, 0) AS skipped, coalesce(failed, 0) AS failed,
       coalesce(flagged, 0) AS flagged, nullif(partial, 0) AS partial, nullif(simulated, 0) AS simulated,
       coalesce(stale, 0) AS stale, coalesce(generations, 0) AS generations, nullif(archived, 0) AS archived,
       CASE WHEN coalesce(told, 0) = 0 THEN 'unknown' WHEN here = told THEN 'this one' WHEN here = 0 THEN 'another'
            ELSE 'several' END AS machine,
       strftime('%Y-%m-%d %H:%M', nullif(measured_at, 0), 'unixepoch') AS "measured (UTC)", csv AS "CSV",
       coalesce(journal, 'none') AS journal
FROM held h LEFT JOIN counted c USING (study) LEFT JOIN generation g USING (study)
LEFT JOIN experiments e ON e.name = h.study ORDER BY h.study;
