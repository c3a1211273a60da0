-- Which differences are called faster or slower when many cells are compared. Both comparisons run it first, as its
-- views read what they make: `judged` with the columns judgement and p, and then `pair`. SPDX-License-Identifier: MIT

-- `verdict`: among all; `alone`: the verdict if no other cell were compared, where this differs.
CREATE TEMP VIEW called AS
WITH among AS (
    SELECT *, judgement IN ('faster', 'slower') AND p > coalesce((SELECT called_p(p) FROM judged), -1) IS TRUE
             AS by_chance
    FROM judged)
SELECT *, iif(by_chance, 'undecided', replace(judgement, 'single', 'undecided')) AS verdict,
       iif(by_chance, judgement, NULL) AS alone
FROM among;

-- What is to be expected of all verdicts together: how many pairs were tested and how many are called faster or slower,
-- of which at most `false_ones` are expected to be false; and how many more would be called alone.
CREATE TEMP VIEW alarms AS
SELECT count(p) AS tests, count(*) FILTER (WHERE verdict IN ('faster', 'slower')) AS calls, count(alone) AS more_alone,
       error_rate() * count(*) FILTER (WHERE verdict IN ('faster', 'slower')) AS false_ones
FROM pair;
