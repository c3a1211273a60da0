-- The rows of marks.csv. SPDX-License-Identifier: MIT
SELECT submission, points, most, status, place, sig(ratio, 4) AS ratio, sig(low, 4) AS low, sig(high, 4) AS high,
       rounds, decided, remark
FROM placed ORDER BY submission;
