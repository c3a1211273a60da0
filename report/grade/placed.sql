-- All submissions with their places: the table `placed`. Tables: `outcome`, `points`, `sources`.
-- In the tables a name stands behind "./", so that a name of digits stays a text. SPDX-License-Identifier: MIT

-- A submission is behind those whose whole interval lies above its own one: overlapping intervals share a place. A
-- flagged ratio is not certain beside an unflagged one, and stands before none of these.
CREATE TEMP TABLE placed AS
SELECT substr(folder, 3) AS submission, *,
       iif(low IS NULL, NULL, 1 + (SELECT count(*) FROM outcome o WHERE o.low > outcome.high
                                                    AND (o.flags IS NULL OR outcome.flags IS NOT NULL))) AS place,
       (SELECT max(points) FROM points) AS most,
       CASE WHEN status <> 'ok' THEN status || coalesce(': ' || reason, '')
            WHEN low IS NULL THEN 'undecided: too few rounds for an interval'
            ELSE nullif(iif(decided, '', 'undecided: the interval holds a threshold, and the lower mark is given')
                        || coalesce(iif(decided, '', '; ') || 'flagged ' || flags, ''), '') END AS remark
FROM outcome;

-- The flags of the times, and what they mean.
CREATE TEMP VIEW flagged AS
SELECT p.submission, m.ord, m.name, m.meaning
FROM placed p JOIN marks m ON instr(' ' || p.flags || ' ', ' ' || m.name || ' ');

-- Sources of several submissions that are equal but for comments, blanks and names.
CREATE TEMP TABLE equal AS
SELECT hash, count(DISTINCT folder) AS submissions, group_concat(substr(folder, 3) || substr(file, 2), ', ') AS files
FROM (SELECT * FROM sources ORDER BY folder, file)
GROUP BY hash HAVING count(DISTINCT folder) > 1;
