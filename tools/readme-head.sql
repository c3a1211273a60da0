-- The sentence above the README's first table. SPDX-License-Identifier: MIT
SELECT printf('f32 C = AB at n = %d on host `%s`, %s: GFLOP/s, and the speed over that of the fastest library on the '
              || 'same device, with its interval.',
              max(n), host, replace(group_concat(DISTINCT device), ',', ' and '))
FROM (SELECT * FROM cells WHERE experiment = 'lab5-matmul' AND problem = 'matmul' ORDER BY side)
GROUP BY host;
