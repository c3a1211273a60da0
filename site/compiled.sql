-- How each host compiled each file: the file, and a row of a table as HTML. SPDX-License-Identifier: MIT
-- needs: ../report/chosen.sql
SELECT v.file, '<tr><td>' || html(v.name) || '</td><td>' || html(translated(a.label)) || '</td><td>'
       || html(replace(group_concat(DISTINCT v.experiment), ',', ', ')) || '</td><td>'
       || html(coalesce(substr(v.source_hash, 1, 12), '–'))
       || iif(substr(v.source_hash, 1, 16) IS k.source_hash, '', ' (' || html(translated('another version')) || ')')
       || '</td><td><code>' || html(coalesce(v.compile_line, translated('not recorded'))) || '</code></td></tr>'
FROM (SELECT host, experiment, name, file, source_hash, compile_line FROM variants
      UNION ALL
      SELECT b.host, b.experiment, b.name, v.file, b.source_hash, b.compile_line
      FROM builds b JOIN variants v USING (host, experiment, name)) v
JOIN chosen c USING (host, experiment) JOIN about a USING (host) LEFT JOIN known k ON k.name = v.name
WHERE v.file IS NOT NULL
GROUP BY v.file, v.name, v.host, v.source_hash, v.compile_line ORDER BY v.file, a.ord, v.name;
