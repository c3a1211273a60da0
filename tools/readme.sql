-- The README's first table, as Markdown rows: every variant of lab 5's product at its largest size, against the
-- vendor's library on the same device. SPDX-License-Identifier: MIT
WITH lab AS (SELECT * FROM cells WHERE experiment = 'lab5-matmul' AND problem = 'matmul' AND usual),
at AS (SELECT max(n) AS n FROM lab WHERE vendor),
fastest AS (
    SELECT c.*, rank() OVER (PARTITION BY c.variant, c.machine ORDER BY c.median_s, c.cell) AS place
    FROM lab c JOIN at ON c.n = at.n),
vendor AS (
    SELECT host, task, side, span, flagged FROM library_cells WHERE experiment = 'lab5-matmul' AND place = 1)
SELECT printf('| `%s` | %s | %s | %s | %s |', substr(f.variant, 8), ifnull(v.summary, ''),
              iif(f.side = 'GPU', f.device, ifnull(f.threads, 1) || iif(ifnull(f.threads, 1) = 1, ' thread', ' threads')
                  || iif(f.threads >= e.cores, ' (' || sig(e.cores, 3) || ' cores)', '')),
              marked(sig(f.gflops, 3), f.flagged),
              marked(ratio(vendor.span, f.span), f.flagged, vendor.flagged))
FROM fastest f
JOIN vendor ON vendor.host = f.host AND vendor.task = f.task AND vendor.side = f.side
LEFT JOIN variants v ON v.host = f.host AND v.experiment = f.experiment AND v.name = f.variant
LEFT JOIN effective_cores e ON e.host = f.host AND e.experiment = f.experiment
WHERE f.place = 1
ORDER BY f.side, v.ord;
