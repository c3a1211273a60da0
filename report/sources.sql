-- The kernels of the appendix, in ladder order: file, its name in LaTeX, compile line. Parameter: :listings, all or
-- final. Final kernels are the fastest own ones of each problem on each device, at the largest n of the report. For a
-- laboratory's study alone they are the fastest ones that the laboratory itself asks for.
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
                      WHERE v.host = r.host AND v.experiment = r.experiment AND v.name = r.variant)))
SELECT v.file, latex(v.file), coalesce(max(v.compile_line), '')
FROM variants v JOIN chosen c USING (host, experiment)
WHERE v.file GLOB 'kernels/*' AND v.file NOT GLOB '*..*' AND v.file NOT GLOB '*[^A-Za-z0-9_./]*'
  AND (:listings = 'all' OR v.name IN (SELECT variant FROM best WHERE place = 1))
GROUP BY v.file ORDER BY min(v.ord), v.file;
