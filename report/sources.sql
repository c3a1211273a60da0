-- The kernels of the appendix: file, its title in LaTeX, compile line, problem and device, whether it is this machine's
-- own, order of the ladder. They are own kernels, which name no source or which no recorded host knows, and, where a
-- laboratory's study stands alone, those that the laboratory asks for, the fastest at the largest n first. Beside no
-- recorded host they are the fastest of each problem and device. Parameter: :listings, all or final;
-- all are all kernels, in the order of the ladder. SPDX-License-Identifier: MIT
-- needs: chosen.sql
--
-- The line is that of the build that was measured. It begins with `earlier:` where only earlier sources of the file
-- were measured, else with `line:`. It is empty behind this word if it was not recorded.
WITH recorded AS (SELECT DISTINCT v.name FROM variants v JOIN hosts h USING (host) WHERE h.ord > 0),
asked AS (
    SELECT r.problem, r.side, r.variant,
           row_number() OVER (PARTITION BY r.problem, r.side ORDER BY max(r.n) DESC, max(r.gflops) DESC) AS place
    FROM cells r JOIN chosen USING (host, experiment)
    JOIN variants v ON v.host = r.host AND v.experiment = r.experiment AND v.name = r.variant
    WHERE (EXISTS (SELECT 1 FROM laboratory l WHERE instr(v.source, l.source))
           OR NOT EXISTS (SELECT 1 FROM laboratory) AND NOT EXISTS (SELECT 1 FROM recorded))
      AND NOT r.vendor AND r.library IS NULL AND r.usual AND r.counts
      AND r.problem NOT IN (SELECT name FROM problems WHERE probe)
    GROUP BY r.problem, r.side, r.variant),
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
own AS (
    SELECT DISTINCT v.file FROM variants v JOIN chosen c USING (host, experiment)
    WHERE c.local AND coalesce(v.library, '') = '' AND v.name NOT IN (SELECT name FROM recorded)
      AND (v.source IN ('', 'own') OR EXISTS (SELECT 1 FROM recorded)))
SELECT v.file, latex(min(v.name) || ', ' || v.file),
       coalesce(max(CASE WHEN m.is_current THEN 'line:' || coalesce(m.line, '')
                         WHEN m.is_current = 0 THEN 'earlier:' || coalesce(m.earlier_line, '')
                         ELSE 'line:' || v.compile_line END), 'line:'),
       coalesce(a.problem || ' ' || a.side, ''), v.file IN (SELECT file FROM own) AS is_own, min(v.ord) AS ord
FROM variants v JOIN chosen c USING (host, experiment) LEFT JOIN measured m ON m.variant = v.name
LEFT JOIN asked a ON a.variant = v.name
WHERE v.file GLOB 'kernels/*' AND v.file NOT GLOB '*..*' AND v.file NOT GLOB '*[^A-Za-z0-9_./]*'
  AND (:listings = 'all' OR a.variant IS NOT NULL OR v.file IN (SELECT file FROM own))
GROUP BY v.file, a.side
ORDER BY iif(:listings = 'all', NULL, -is_own), iif(:listings = 'all', NULL, a.side),
         iif(:listings = 'all', NULL, a.place), ord, v.file;
