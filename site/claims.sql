-- Every claim with its verdict on a host. Parameter: :host. SPDX-License-Identifier: MIT
-- needs: ../report/chosen.sql ../report/judge-claims.sql
SELECT v.id AS "Claim", c.statement AS "What the source says",
       c.published || coalesce(' ' || c.unit, '') AS "Published",
       marked(v.verdict, v.flagged) AS "Verdict",
       iif(v.compared, v.holding || ' of ' || v.compared, NULL) AS "Parts that hold",
       sig(j.least, 3) AS "Least", sig(j.most, 3) AS "Most", c.studies AS "Studies",
       (SELECT 'study-' || s.experiment || '.html' FROM study s
        WHERE instr(' ' || c.studies || ' ', ' ' || s.experiment || ' ')
        ORDER BY s.study_ord LIMIT 1) AS "href Studies",
       iif(v.compared = 0 OR v.verdict = 'undecided', nullif(v.reason, ''), NULL) AS "Reason"
FROM verdict v JOIN claims c ON c.rowid = v.row JOIN judged j ON j.row = v.row AND j.host = v.host
WHERE v.host = :host ORDER BY v.row;
