-- Times of an earlier source of their variant. SPDX-License-Identifier: MIT
-- says: \fact{times} \plural{times}{time was}{times were} measured with an earlier source of the variant.
-- says.ru: Ячеек, измеренных с прежним исходным текстом варианта: \fact{times}.
-- facts
SELECT c.host, c.experiment, count(*) AS times
FROM results r JOIN chosen c USING (host, experiment) JOIN own USING (host, experiment)
WHERE r.status = 'ok' AND NOT r.probe AND r.stale GROUP BY c.host, c.experiment ORDER BY c.host_ord;
