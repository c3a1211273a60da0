-- Studies of integers, for which there is no BLAS. The first host of a study tells it. SPDX-License-Identifier: MIT
-- says: There is no BLAS for \fact{precision}, so that no library stands beside the variants.
-- says.ru: Для \fact{precision} нет BLAS, сравнения с библиотекой нет.
-- facts
SELECT host, experiment, precision
FROM (SELECT c.*, row_number() OVER (PARTITION BY c.experiment ORDER BY c.host_ord) AS turn
      FROM compared c
      WHERE c.precision = 'i32'
        AND EXISTS (SELECT 1 FROM figures f WHERE f.host = c.host AND f.experiment = c.experiment)
        AND NOT EXISTS (SELECT 1 FROM compared v WHERE v.host = c.host AND v.experiment = c.experiment AND v.vendor))
WHERE turn = 1 ORDER BY study_ord;
