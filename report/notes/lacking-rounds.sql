-- Times that lack rounds. SPDX-License-Identifier: MIT
-- says: The run was interrupted: \fact{times}~\plural{times}{cell lacks}{cells lack} rounds.
-- says.ru: Ячеек, которым не хватает раундов, так как запуск был прерван: \fact{times}.
-- facts
SELECT c.host, c.experiment, count(*) AS times
FROM results r JOIN chosen c USING (host, experiment) JOIN own USING (host, experiment)
WHERE r.status = 'ok' AND NOT r.probe AND '+' || r.flags || '+' LIKE '%+partial+%'
GROUP BY c.host, c.experiment ORDER BY c.host_ord;
