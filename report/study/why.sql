-- One sentence in LaTeX that says why a figure or table has nothing to show. SPDX-License-Identifier: MIT
WITH total AS (SELECT count(*) AS cells, coalesce(sum(status = 'ok'), 0) AS ok FROM cell WHERE NOT probe),
worst AS (SELECT status, reason_class AS reason, count(*) AS cells FROM cell WHERE NOT probe AND status <> 'ok'
          GROUP BY status, reason_class ORDER BY cells DESC, reason_class LIMIT 2)
SELECT CASE WHEN total.cells = 0 THEN 'The study has no cells on this host.'
            WHEN total.ok = 0 THEN 'No cell of the study has a verified result on this host; of them '
            ELSE 'The cells that it needs have no verified result on this host. Of ' || total.cells || ' cells '
                 || total.ok || iif(total.ok = 1, ' is verified', ' are verified')
                 || iif(total.ok < total.cells, '; of the others ', '.') END
       || coalesce((SELECT group_concat(cells || ' ' || latex(status)
                                        || iif(coalesce(reason, '') = '', '', ' (' || latex(reason) || ')'), ', ')
                    FROM worst) || '.', '')
FROM total;
