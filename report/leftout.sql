-- What the report leaves out of the data: rows and files that cannot be read, and hosts beyond the first dozen.
-- SPDX-License-Identifier: MIT
-- group
SELECT host AS "Host", file AS "File", line AS "Line", what AS "Left out"
FROM left_out JOIN hosts USING (host) GROUP BY host, file, line, what
UNION ALL
SELECT host, NULL, NULL, 'the host: name it in HOSTS to see it'
FROM worth WHERE host NOT IN (SELECT host FROM chosen) GROUP BY host;
