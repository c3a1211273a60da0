-- How often the own variants of the summary are faster than the library, on each host. The query needs
-- report/paired.sql. SPDX-License-Identifier: MIT
SELECT '\outcome{' || latex(translated(a.name)) || '}{' || count(*) || '}{' || sum(p.verdict = 'faster') || '}{'
       || sum(p.verdict = 'same') || '}{' || sum(p.verdict = 'slower') || '}{'
       || sum(p.verdict IN ('undecided', 'single')) || '}'
FROM paired p JOIN about a USING (host) GROUP BY a.host ORDER BY a.ord;
