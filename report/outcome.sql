-- How often the own variants of the summary's table are faster than the library, on each host. Hosts of a class have
-- one sentence together. Products from parts of operands compute in another way than the library: one sentence counts
-- their rows. A host on which nothing is decided has no sentence.
-- SPDX-License-Identifier: MIT
-- needs: paired.sql
WITH counted AS (
    SELECT a.name, a.ord, count(*) AS cases, sum(p.verdict = 'faster') AS faster, sum(p.verdict = 'same') AS same,
           sum(p.verdict = 'slower') AS slower, sum(p.verdict IN ('undecided', 'single')) AS undecided
    FROM paired p JOIN about a USING (host) WHERE p.shown AND NOT p.emulated GROUP BY a.host
    HAVING undecided < cases)
SELECT '\outcome{' || latex(translated(name)) || '}{' || cases || '}{' || faster || '}{' || same || '}{' || slower
       || '}{' || undecided || '}'
FROM (SELECT * FROM counted ORDER BY ord) WHERE (SELECT count(*) FROM counted) <= 4
UNION ALL
SELECT '\outcomes{' || count(*) || '}{' || sum(cases) || '}{' || sum(faster) || '}{' || sum(same) || '}{' || sum(slower)
       || '}{' || sum(undecided) || '}'
FROM counted HAVING count(*) > 4
UNION ALL
SELECT '\outcomesplit{' || count(*) || '}'
FROM paired JOIN about USING (host) WHERE shown AND emulated AND EXISTS (SELECT 1 FROM counted) HAVING count(*) > 0;
