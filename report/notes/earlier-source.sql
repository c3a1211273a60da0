-- Times of an earlier source of their variant, for the section on the method: the state of the data has each study.
-- SPDX-License-Identifier: MIT
-- says: \fact{times} \plural{times}{time}{times} of \fact{studies} \plural{studies}{study}{studies}
--   \plural{times}{was}{were} measured with an earlier source of the variant.
-- says.ru: Ячеек, измеренных с прежним исходным текстом варианта: \fact{times}, исследований: \fact{studies}.
-- facts
SELECT c.host, count(*) AS times, count(DISTINCT c.experiment) AS studies
FROM results r JOIN chosen c USING (host, experiment) JOIN own USING (host, experiment)
WHERE r.status = 'ok' AND NOT r.probe AND r.stale GROUP BY c.host ORDER BY min(c.host_ord);
