-- The studies of the site: name, title, hosts, and the paragraph that leads the study, as LaTeX.
-- SPDX-License-Identifier: MIT
-- needs: ../report/chosen.sql
SELECT s.experiment, html(s.title), group_concat(c.host, ' '), replace(prose(coalesce(s.about, '')), char(10), ' ')
FROM study s JOIN (SELECT * FROM chosen ORDER BY host_ord) c USING (experiment)
GROUP BY s.experiment ORDER BY s.study_ord;
