-- What the record of a host is good for, as one paragraph. SPDX-License-Identifier: MIT
SELECT printf('The record of host `%s` gives verdicts for %d of its %d times: these have the rounds and launches of a '
              || 'verdict, and no doubt.', host, good, times)
       || iif(few > 0, printf(' %d times have too few rounds or launches.', few), '')
       || iif(doubtful > 0, printf(' %d times carry a doubt.', doubtful), '')
       || iif(few + doubtful > 0, ' Such times show what is large, and decide no small difference.', '')
       || iif(stale > 0, printf(' The code of the variant has changed since %d of the times.', stale), '')
       || iif(decides, '', ' It has no table here.')
FROM host_verdicts;
