-- What became of one submission: a row of the table `outcome`. Parameters: :folder, :status, :reason, and :kind, the
-- points it gets if it has no ratio; empty: no mark can be given. SPDX-License-Identifier: MIT
SELECT :folder AS folder, :status AS status, nullif(:reason, '') AS reason,
       iif(:status = 'ok', points, (SELECT points FROM points WHERE kind = :kind)) AS points, ratio, low, high,
       nullif(rounds, 0) AS rounds, single, flags, iif(:status = 'ok', decided, 1) AS decided
FROM mark;
