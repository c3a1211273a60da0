-- The kernels of the appendix: file, its name in LaTeX, compile line, problem and device, whether the kernel is final,
-- whether it is this machine's own, order of the ladder. Own kernels come first: no recorded host knows them. For each
-- problem and device the final kernels come next, and then the others, the fastest first. Parameter: :listings, all or
-- final. SPDX-License-Identifier: MIT
-- needs: paired.sql
--
-- Final kernels are the own ones that the summary holds against a library. Where a problem has no library on a device,
-- the final kernel is the fastest own one. For a laboratory's study alone it is the fastest one that the laboratory
-- asks for, at the largest n. The line is that of the build that was measured. It begins with `earlier:` where only
-- earlier sources of the file were measured, else with `line:`. It is empty behind this word if it was not recorded.
WITH timed AS (
    SELECT r.problem, r.side, r.variant, max(r.gflops) AS speed,
           row_number() OVER (PARTITION BY r.problem, r.side ORDER BY max(r.n) DESC, max(r.gflops) DESC) AS place,
           row_number() OVER (PARTITION BY r.problem, r.side ORDER BY max(r.gflops) DESC) AS rank
    FROM cells r JOIN chosen USING (host, experiment)
    WHERE NOT r.vendor AND r.library IS NULL AND r.usual AND r.counts
      AND r.problem NOT IN (SELECT name FROM problems WHERE probe)
      AND (NOT EXISTS (SELECT 1 FROM laboratory)
           OR EXISTS (SELECT 1 FROM variants v JOIN laboratory l ON instr(v.source, l.source)
                      WHERE v.host = r.host AND v.experiment = r.experiment AND v.name = r.variant))
    GROUP BY r.problem, r.side, r.variant),
rated AS (
    SELECT *, CASE WHEN EXISTS (SELECT 1 FROM laboratory) THEN place = 1
                   WHEN EXISTS (SELECT 1 FROM paired p WHERE p.problem = t.problem AND p.side = t.side)
                   THEN EXISTS (SELECT 1 FROM paired p WHERE p.variant = t.variant AND p.side = t.side)
                   ELSE rank = 1 END AS final
    FROM timed t),
built AS (
    SELECT host, experiment, name, substr(source_hash, 1, 16) AS source_hash, compile_line FROM variants
    UNION ALL
    SELECT host, experiment, name, substr(source_hash, 1, 16), compile_line FROM builds),
measured AS (
    SELECT r.variant, max(NOT coalesce(r.stale, 0)) AS is_current,
           max(iif(coalesce(r.stale, 0), NULL, b.compile_line)) AS line,
           max(iif(r.stale, b.compile_line, NULL)) AS earlier_line
    FROM results r JOIN chosen USING (host, experiment)
    LEFT JOIN built b ON b.host = r.host AND b.experiment = r.experiment AND b.name = r.variant
      AND b.source_hash = r.source_hash
    WHERE r.status = 'ok' GROUP BY r.variant),
recorded AS (SELECT DISTINCT v.name FROM variants v JOIN hosts h USING (host) WHERE h.ord > 0),
own AS (
    SELECT DISTINCT v.file FROM variants v JOIN chosen c USING (host, experiment)
    WHERE c.local AND coalesce(v.library, '') = '' AND v.name NOT IN (SELECT name FROM recorded)
      AND EXISTS (SELECT 1 FROM recorded))
SELECT v.file, latex(v.file),
       coalesce(max(CASE WHEN m.is_current THEN 'line:' || coalesce(m.line, '')
                         WHEN m.is_current = 0 THEN 'earlier:' || coalesce(m.earlier_line, '')
                         ELSE 'line:' || v.compile_line END), 'line:'),
       coalesce(t.problem || ' ' || t.side, ''), coalesce(t.final, 0), v.file IN (SELECT file FROM own) AS is_own,
       min(v.ord) AS ord
FROM variants v JOIN chosen c USING (host, experiment) LEFT JOIN measured m ON m.variant = v.name
LEFT JOIN rated t ON t.variant = v.name
WHERE v.file GLOB 'kernels/*' AND v.file NOT GLOB '*..*' AND v.file NOT GLOB '*[^A-Za-z0-9_./]*'
  AND (:listings = 'all' OR t.variant IS NOT NULL OR v.file IN (SELECT file FROM own))
GROUP BY v.file, t.side
ORDER BY iif(:listings = 'all', NULL, -is_own),
         iif(:listings = 'all', NULL, (SELECT rowid FROM problems WHERE name = t.problem)),
         iif(:listings = 'all', NULL, t.side), iif(:listings = 'all', NULL, -t.final),
         iif(:listings = 'all', NULL, -t.speed), ord, v.file;
