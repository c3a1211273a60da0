-- The kernels of the appendix, in ladder order: file, its name in LaTeX, compile line. SPDX-License-Identifier: MIT
SELECT v.file, latex(v.file), coalesce(max(v.compile_line), '')
FROM variants v JOIN chosen c USING (host, experiment)
WHERE v.file GLOB 'kernels/*' AND v.file NOT GLOB '*..*' AND v.file NOT GLOB '*[^A-Za-z0-9_./]*'
GROUP BY v.file ORDER BY min(v.ord), v.file;
