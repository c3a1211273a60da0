-- The cells of a study against the bounds of their problems. SPDX-License-Identifier: MIT
-- caption: Verification: the cells of each problem against its bound. The worst error is in per cent of what the bound
--   allows
-- caption.ru: Проверка: ячейки каждой задачи и граница ошибки. Наибольшая ошибка — в процентах от допустимой
--
-- The worst error of a problem's cells is told in per cent of what the bound allows.
SELECT problem AS "Problem", group_concat(DISTINCT precision) AS "Types", count(DISTINCT variant) AS "Variants",
       count(*) AS "Cells",
       sum(status = 'ok') AS "Verified", sum(status = 'skipped') AS "Skipped",
       sum(status NOT IN ('ok', 'skipped', 'withdrawn')) AS "Failed",
       nullif(sum(status = 'withdrawn'), 0) AS "Withdrawn",
       CASE WHEN max(bound) > 0 THEN sig(100 * max(error / bound)) WHEN max(bound) = 0 THEN 'exact' END
         AS "Worst error, % of bound",
       iif(sum(bitwise = 0), sum(bitwise = 0) || ' cells vary',
           iif(max(bitwise) = 1, 'same bits', NULL)) AS "Repeated runs"
FROM cell WHERE NOT probe
GROUP BY problem ORDER BY (SELECT rowid FROM problems p WHERE p.name = problem);
