-- The kernels of the appendix, in ladder order: file, its name in LaTeX, compile line. Parameter: :listings, all or
-- final. Final kernels are the fastest own ones of each problem on each device, at the largest n of the report. For a
-- laboratory's study alone they are the fastest ones that the laboratory itself asks for. The line is that of the build
-- that was measured. Where only earlier sources of the file were measured, the line begins with words that say so.
-- SPDX-License-Identifier: MIT
WITH best AS (
    SELECT r.variant, row_number() OVER (PARTITION BY r.problem, r.side ORDER BY r.n DESC, r.gflops DESC) AS place
    FROM results r JOIN chosen USING (host, experiment)
    WHERE r.status = 'ok' AND NOT r.probe AND NOT r.vendor AND r.experiment <> 'smoke'
      AND r.problem NOT IN (SELECT name FROM problems WHERE probe)
      AND NOT EXISTS (SELECT 1 FROM variants v WHERE v.host = r.host AND v.experiment = r.experiment
                      AND v.name = r.variant AND coalesce(v.library, '') <> '')
      AND (NOT EXISTS (SELECT 1 FROM laboratory)
           OR EXISTS (SELECT 1 FROM variants v JOIN laboratory l ON instr(v.source, l.source)
                      WHERE v.host = r.host AND v.experiment = r.experiment AND v.name = r.variant))),
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
    WHERE r.status = 'ok' GROUP BY r.variant)
SELECT v.file, latex(v.file),
       coalesce(max(CASE WHEN m.is_current THEN coalesce(m.line, '')
                         WHEN m.is_current = 0 THEN
                           'an earlier source was measured: ' || coalesce(m.earlier_line, 'its line is not recorded')
                         ELSE v.compile_line END), '')
FROM variants v JOIN chosen c USING (host, experiment) LEFT JOIN measured m ON m.variant = v.name
WHERE v.file GLOB 'kernels/*' AND v.file NOT GLOB '*..*' AND v.file NOT GLOB '*[^A-Za-z0-9_./]*'
  AND (:listings = 'all' OR v.name IN (SELECT variant FROM best WHERE place = 1))
GROUP BY v.file ORDER BY min(v.ord), v.file;
