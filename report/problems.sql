-- The problems of the report's studies, as LaTeX, in the order of the registry. SPDX-License-Identifier: MIT
-- needs: chosen.sql
SELECT '\problem{' || latex(p.name) || '}{' || coalesce(p.computes, '') || '}'
FROM problems p
WHERE NOT p.probe
  AND p.name IN (SELECT r.problem FROM results r JOIN chosen c USING (host, experiment)
                 WHERE r.counts AND NOT r.probe)
ORDER BY p.rowid;
