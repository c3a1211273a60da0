-- Why a submission has no time: the status of a cell without a right result, and the reason. No row: all cells are
-- right. Parameter: :own, the full name of the variant. SPDX-License-Identifier: MIT
SELECT status, reason
FROM (SELECT 0 AS ord, 0 AS n, 'changed' AS status, 'the submission changed the results, ' || file AS reason
      FROM changed_files
      UNION ALL
      SELECT 1 + (status = 'skipped'), n, status, 'n = ' || n || coalesce(': ' || reason, '')
      FROM results WHERE variant = :own AND status NOT IN ('ok', 'withdrawn')
      UNION ALL
      SELECT 3, 0, 'not built', '' WHERE NOT EXISTS (SELECT 1 FROM results WHERE variant = :own))
ORDER BY ord, n LIMIT 1;
