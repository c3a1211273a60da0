-- What failed, one line a cell with all its axes: `make report` prints these lines last. Parameter: :studies, those of
-- the report between blanks. SPDX-License-Identifier: MIT
WITH failed AS (SELECT * FROM results WHERE status NOT IN ('ok', 'skipped', 'withdrawn')
                AND instr(' ' || :studies || ' ', ' ' || experiment || ' ')),
settings AS (
    SELECT host, experiment, cell, group_concat(key || '=' || text, ' ') AS text,
           group_concat(sort_key, ' ') AS sort_key
    FROM (SELECT a.*, x.key FROM cell_axis a JOIN axes x USING (axis) JOIN failed USING (host, experiment, cell)
          WHERE a.text IS NOT NULL ORDER BY a.ord)
    GROUP BY host, experiment, cell)
SELECT printf('FAILED   %s: %s%s: %s%s', experiment, variant, ifnull(' ' || s.text, ''), status,
              ifnull(', ' || reason, ''))
FROM failed LEFT JOIN settings s USING (host, experiment, cell)
ORDER BY experiment, variant, s.sort_key;
