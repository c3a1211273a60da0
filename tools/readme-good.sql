-- What the record of a host is good for, as one paragraph. SPDX-License-Identifier: MIT
SELECT rtrim(printf('This record gives verdicts for %d of its %d times: these have the rounds and launches of a '
                    || 'verdict, and no doubt. ', sum(weak IS NULL), count(*))
       || CASE WHEN sum(weak <> 'flagged') > 0
               THEN printf('%d times have too few rounds or launches. ', sum(weak <> 'flagged')) ELSE '' END
       || CASE WHEN sum(weak IS 'flagged') > 0
               THEN printf('%d times carry a doubt: they show what is large, and decide no small difference. ',
                           sum(weak IS 'flagged')) ELSE '' END
       || CASE WHEN sum(coalesce(stale, 0)) > 0
               THEN printf('The code of the variant has changed since %d of the times.', sum(stale)) ELSE '' END)
FROM cells WHERE counts GROUP BY host HAVING count(*) > 0;
