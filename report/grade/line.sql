-- One line on one submission. SPDX-License-Identifier: MIT
SELECT substr(folder, 3) || ': ' || coalesce(points || ' points', 'no mark')
       || CASE WHEN status <> 'ok' THEN ', ' || status || coalesce(': ' || reason, '')
               ELSE ', ' || coalesce(ratio(ratio, low, high), '?') || ' times as fast as the baseline'
                    || iif(decided, '', ', undecided') END
FROM outcome;
