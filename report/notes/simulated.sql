-- Times of the fake timer of the tests. SPDX-License-Identifier: MIT
-- says: \fact{times} \plural{times}{time comes}{times come} from a test's fake timer and \plural{times}{measures}
--   {measure} nothing.
-- says.ru: Ячеек с временем поддельного таймера тестов, которое ничего не измеряет: \fact{times}.
-- facts
SELECT c.host, c.experiment, count(*) AS times
FROM results r JOIN chosen c USING (host, experiment) JOIN own USING (host, experiment)
WHERE r.status = 'ok' AND NOT r.probe AND '+' || r.flags || '+' LIKE '%+simulated+%'
GROUP BY c.host, c.experiment ORDER BY c.host_ord;
