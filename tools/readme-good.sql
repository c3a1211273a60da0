-- What the record of a host is good for, as one paragraph. SPDX-License-Identifier: MIT
SELECT printf('This record gives verdicts for %d of its %d times: these have the rounds and launches of a verdict, '
              || 'and no doubt. %d times have too few rounds or launches, and %d carry a doubt: they show what is '
              || 'large, and decide no small difference. The code of the variant has changed since %d of the times.',
              sum(weak IS NULL), count(*), sum(weak <> 'flagged'), sum(weak IS 'flagged'), sum(coalesce(stale, 0)))
FROM cells WHERE counts GROUP BY host HAVING count(*) > 0;
