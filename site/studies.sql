-- The studies of the site: name, title as HTML, hosts. SPDX-License-Identifier: MIT
SELECT s.experiment, html(s.title), group_concat(c.host, ' ')
FROM study s JOIN (SELECT * FROM chosen ORDER BY host_ord) c USING (experiment)
GROUP BY s.experiment ORDER BY s.study_ord;
