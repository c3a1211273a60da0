-- What the record of a host is good for, as one paragraph. Parameter: :host. SPDX-License-Identifier: MIT
SELECT printf('The record of host `%s` gives verdicts for %d of its %d times: these have the rounds and launches of a '
              || 'verdict, and no doubt.', host, good, times)
       || CASE few WHEN 0 THEN '' WHEN 1 THEN ' One time has too few rounds or launches.'
          ELSE printf(' %d times have too few rounds or launches.', few) END
       || CASE doubtful WHEN 0 THEN '' WHEN 1 THEN ' One time carries a doubt.'
          ELSE printf(' %d times carry a doubt.', doubtful) END
       || iif(few + doubtful > 0, ' Such times show what is large, and decide no small difference.', '')
       || iif(stale > 0, printf(' The code of the variant has changed since %d of the times.', stale), '')
       || iif(decides, '', ' It has no table here.')
FROM host_verdicts WHERE host = :host;
