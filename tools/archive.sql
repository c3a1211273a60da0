-- The type of each column of the CSV files, as Frictionless names it. SPDX-License-Identifier: MIT
SELECT t.name, c.name, CASE c.type WHEN 'INTEGER' THEN 'integer' WHEN 'REAL' THEN 'number' ELSE 'string' END
FROM sqlite_schema t JOIN pragma_table_info(t.name) c
WHERE t.type = 'table' AND t.name IN ('results', 'archive', 'samples', 'history', 'timeline', 'counters',
                                        'calibration')
ORDER BY t.name, c.cid;
