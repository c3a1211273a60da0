-- What the report leaves out of the data: rows and files that cannot be read, rows that left-out.csv marks or counts as
-- lost, hosts of few verdicts or beyond the first dozen, and the folders that :refused names, each behind a blank.
-- SPDX-License-Identifier: MIT
-- needs: chosen.sql
-- group
-- align: lL{0.28}rL{0.48}
SELECT host AS "Host", file AS "File", line AS "Line", what AS "Left out"
FROM left_out JOIN hosts USING (host) GROUP BY host, file, line, what
UNION ALL
SELECT m.host, m.experiment, NULL,
       iif(m.cell IS NULL, m.rows || ' rows are missing, ' || m.status || ': ', 'cell ' || m.cell || ': ')
       || coalesce(m.reason, '')
FROM marked_out m WHERE (m.host, m.experiment) IN (SELECT host, experiment FROM chosen)
UNION ALL
SELECT host, NULL, NULL,
       iif(EXISTS (SELECT 1 FROM deciding) AND host NOT IN (SELECT host FROM deciding),
           'the host: it adds few verdicts; name it in HOSTS to see it',
           'the host: name it in HOSTS to see it')
FROM worth WHERE host NOT IN (SELECT host FROM chosen) GROUP BY host
UNION ALL
SELECT value, NULL, NULL, 'the host: its files are not those that its run records count and name'
FROM json_each('["' || replace(trim(:refused), ' ', '","') || '"]') WHERE value <> '';
