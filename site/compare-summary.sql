-- The verdicts of each machine. SPDX-License-Identifier: MIT
-- needs: ../report/compare-folders.sql
SELECT other AS "Machine", cells AS "Cells", faster AS "Faster", slower AS "Slower", same AS "Same",
       undecided AS "Undecided", regressed AS "Regressed", fixed AS "Fixed", sig(least, 3) AS "Least speed-up",
       sig(most, 3) AS "Greatest speed-up", lacks AS "Lacks", more AS "Has alone"
FROM summary ORDER BY side;
