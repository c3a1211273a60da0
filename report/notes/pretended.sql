-- Times of the fake timer of the tests. SPDX-License-Identifier: MIT
-- says: Times that a test's fake timer gave, and that measure nothing: \fact{times}.
-- says.ru: Времена, которые выдал поддельный таймер тестов и которые ничего не измеряют: \fact{times}.
-- facts
SELECT c.host, c.experiment, count(*) AS times
FROM results r JOIN chosen c USING (host, experiment) JOIN own USING (host, experiment)
WHERE r.status = 'ok' AND NOT r.probe AND '+' || r.flags || '+' LIKE '%+pretended+%'
GROUP BY c.host, c.experiment ORDER BY c.host_ord;
