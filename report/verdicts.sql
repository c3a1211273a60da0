-- The verdicts on the claims of each source, for one host. Of one study the table of claims has them all. Parameters:
-- :host, :studies. SPDX-License-Identifier: MIT
-- needs: judge-claims.sql claims-shown.sql
-- caption: Verdicts on the claims of each source. The number of a claim stands below it
-- caption.ru: Выводы об утверждениях каждого источника. Под утверждением стоит его номер
CREATE TEMP TABLE mark AS
WITH named AS (
    SELECT v.*, w.ord, rtrim(v.id, '0123456789') AS stem FROM verdict v JOIN known_verdict w USING (verdict)
    WHERE v.host = :host AND v.host IN (SELECT host FROM judging_host) AND v.id IN (SELECT id FROM shown_claim)
      AND (SELECT count(*) FROM study) > 1)
SELECT ord, verdict, rtrim(stem, '-') AS source, CAST(substr(id, length(stem) + 1) AS INTEGER) AS number, flagged,
       dense_rank() OVER (ORDER BY first) AS line
FROM (SELECT *, min(row) OVER (PARTITION BY stem) AS first FROM named);

-- name: curves
SELECT verdict AS curve, ord AS curve_style, 0 AS curve_dash, number, line, flagged FROM mark
ORDER BY ord, line, number;

-- name: lines
SELECT DISTINCT source AS curve, line AS curve_line, 0 AS unused FROM mark ORDER BY line;

-- scalars
SELECT max(number) AS most FROM mark;
