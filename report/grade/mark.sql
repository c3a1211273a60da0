-- The mark that rounds give: the table `mark` of one row. Parameters: :error, the share of cases in which the interval
-- may miss the true ratio. Tables: `rounds` and `points` (kind, ratio, points). SPDX-License-Identifier: MIT
--
-- The ratio of a round is the geometric mean over the sizes of the baseline's time over the submission's time in this
-- round. The ratio of a submission is the median of these ratios. Its interval is that of the sign test: it reaches
-- from the r-th smallest to the r-th largest ratio. r is the largest rank that keeps :error, and does not assume any
-- distribution. Both ends must give the same points; else the mark is undecided, and the lower end gives the points.
CREATE TEMP TABLE mark AS
WITH RECURSIVE each AS (
    SELECT exp(avg(ln(base_s / own_s))) AS ratio FROM rounds
    GROUP BY series, round HAVING count(*) = (SELECT count(DISTINCT n) FROM rounds)),
ranked AS (SELECT ratio, row_number() OVER (ORDER BY ratio) AS rank, count(*) OVER () AS count FROM each),
-- `below`: the probability that fewer than `rank` of the rounds lie on one side of the true median.
tail AS (
    SELECT 0 AS rank, count(*) AS count, pow(0.5, count(*)) AS term, 0.0 AS below FROM each
    UNION ALL
    SELECT rank + 1, count, term * (count - rank) / (rank + 1), below + term FROM tail WHERE 2 * rank < count),
chosen AS (SELECT max(rank) AS rank FROM tail WHERE 2 * below <= CAST(:error AS REAL) AND 2 * rank <= count),
found AS (
    SELECT median(ratio) AS ratio, count(ratio) AS rounds,
           max(iif(rank = (SELECT rank FROM chosen), ratio, NULL)) AS low,
           max(iif(rank = count + 1 - (SELECT nullif(rank, 0) FROM chosen), ratio, NULL)) AS high
    FROM ranked),
reached AS (
    SELECT *, (SELECT max(points) FROM points WHERE kind = 'right' OR kind = 'ratio' AND points.ratio <= found.low)
              AS points_low,
           (SELECT max(points) FROM points WHERE kind = 'right' OR kind = 'ratio' AND points.ratio <= found.high)
              AS points_high
    FROM found)
-- `single`: the ratio that a grader would see that runs everything once. `flags`: the doubts about the times.
SELECT ratio, low, high, rounds, points_low AS points, low IS NOT NULL AND points_low = points_high AS decided,
       (SELECT exp(avg(ln(base_first_s / own_first_s))) FROM rounds
        WHERE (series, round) = (SELECT min(series), min(round) FROM rounds)) AS single,
       (SELECT group_concat(flag, ' ')
        FROM (SELECT DISTINCT flag.value AS flag
              FROM rounds, json_each('["' || replace(doubts, '+', '","') || '"]') flag
              WHERE flag.value NOT IN ('', 'simulated', 'capped') ORDER BY flag)) AS flags
FROM reached;
