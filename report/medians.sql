-- The appendix of medians as LaTeX: the studies and hosts that have times. SPDX-License-Identifier: MIT
-- needs: chosen.sql
-- A study without figures does not ask for times.
SELECT '\medians{' || s.experiment || '}{' || c.host || '}{'
       || latex(iif(a.ord = 0, translated(a.label), c.host)) || '}'
FROM chosen c JOIN study s USING (experiment) JOIN about a USING (host)
WHERE EXISTS (SELECT 1 FROM results r WHERE r.host = c.host AND r.experiment = c.experiment AND r.status = 'ok'
                AND NOT r.probe)
  AND EXISTS (SELECT 1 FROM figures f WHERE f.host = c.host AND f.experiment = c.experiment)
ORDER BY s.study_ord, c.host_ord;
