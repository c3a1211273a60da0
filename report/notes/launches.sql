-- In how many launches and rounds the cells of each device were measured, for the section on the method.
-- SPDX-License-Identifier: MIT
-- says: \fact{side}: \fact{cells} \plural{cells}{cell}{cells} with an interval, measured in
--   \range{launches_least}{launches_most} \plural{launches_most}{launch}{launches} and
--   \range{rounds_least}{rounds_most} rounds\iffact{launches_half}{; half of the cells have at least
--   \fact{launches_half} \plural{launches_half}{launch}{launches} and \fact{rounds_half} rounds}.
-- says.ru: \fact{side}: ячеек с интервалом \fact{cells}, запусков \range{launches_least}{launches_most}, раундов
--   \range{rounds_least}{rounds_most}\iffact{launches_half}{; у половины ячеек не менее \fact{launches_half}
--   \forms{launches_half}{запуска}{запусков}{запусков} и \fact{rounds_half}
--   \forms{rounds_half}{раунда}{раундов}{раундов}}.
-- facts
WITH timed AS (
    SELECT host, experiment, cell, count(DISTINCT launch) AS launches, count(DISTINCT round) AS rounds
    FROM samples WHERE kernel_s IS NOT NULL AND (host, experiment) IN (SELECT host, experiment FROM chosen)
    GROUP BY host, experiment, cell)
SELECT c.host, r.side, count(*) AS cells, min(t.launches) AS launches_least, max(t.launches) AS launches_most,
       min(t.rounds) AS rounds_least, max(t.rounds) AS rounds_most,
       nullif(CAST(median(t.launches) AS INTEGER), min(t.launches)) AS launches_half,
       CAST(median(t.rounds) AS INTEGER) AS rounds_half
FROM timed t JOIN results r USING (host, experiment, cell) JOIN chosen c USING (host, experiment)
WHERE r.status = 'ok' AND NOT r.probe AND t.rounds > 1
GROUP BY c.host, r.side ORDER BY min(c.host_ord), r.side;
