-- The BLAS libraries, and the kernel that each of them chose, in its own words. Recorded hosts that have the same one
-- share a row, and so have two that chose the same kernel of one file, whatever else they say of it. The flags of a
-- build of OpenBLAS, from NO_... or DYNAMIC_ARCH on, and the processors that MKL is for stay in the run record.
-- SPDX-License-Identifier: MIT
-- needs: chosen.sql
-- align: llll
SELECT CASE WHEN a.ord = 0 THEN 'this machine' WHEN count(DISTINCT a.host) = 1 THEN a.host
            ELSE min(a.host) || ' … ' || max(a.host) || ' (' || count(DISTINCT a.host) || ')' END AS "Host",
       l.name AS "Library", l.hash AS "File hash",
       translated(max(substr(l.config, 1,
                             coalesce(nullif(instr(l.config, ' NO_'), 0), nullif(instr(l.config, ' DYNAMIC_ARCH'), 0),
                                      nullif(instr(l.config, ' for Intel'), 0), length(l.config) + 1) - 1)))
       || coalesce('; ' || translated(nullif(rtrim(CASE WHEN l.choice = 'user' THEN l.setting || ', set by the user; '
            WHEN l.setting IS NOT NULL THEN l.setting || ', set before loading; ' ELSE '' END
            || replace(coalesce(max(l.remark), ''), 'by the user''s setting: ', ''), '; '), '')), '')
         AS "What it says of itself; setting and choice"
FROM libraries l JOIN chosen c USING (host, experiment) JOIN about a USING (host)
WHERE l.name IS NOT NULL
GROUP BY a.ord = 0, l.name, l.hash, l.setting, l.choice IS 'user',
         substr(l.config, 1, instr(replace(l.config, ',', ';') || ';', ';') - 1)
ORDER BY min(a.ord), l.name;
