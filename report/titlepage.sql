-- The numbers and names of the title page, as LaTeX macros. SPDX-License-Identifier: MIT
SELECT coalesce((SELECT cpu FROM about WHERE ord = 0), (SELECT cpu FROM about ORDER BY ord LIMIT 1),
                'no machine') AS cpuname,
       coalesce((SELECT gpu FROM about WHERE ord = 0), '') AS gpuname,
       (SELECT group_concat(label, '; ') FROM (SELECT label FROM about WHERE ord > 0 ORDER BY ord)) AS recordedhosts,
       (SELECT count(*) FROM study) AS studycount,
       (SELECT count(*) FROM results JOIN chosen USING (host, experiment)) AS cellcount,
       (SELECT count(*) FROM results JOIN chosen USING (host, experiment) WHERE status = 'ok') AS okcount,
       (SELECT count(*) FROM results JOIN chosen USING (host, experiment) WHERE status = 'skipped') AS skippedcount,
       (SELECT count(*) FROM results JOIN chosen USING (host, experiment) WHERE status NOT IN ('ok', 'skipped'))
         AS failedcount,
       coalesce((SELECT date(max(e.measured_at), 'unixepoch') FROM experiments e JOIN chosen c
                 ON c.host = e.host AND c.experiment = e.name), '') AS measuredon,
       coalesce((SELECT substr("commit", 1, 12) || iif(dirty, ' with local changes', '') FROM experiments e
                 JOIN chosen c ON c.host = e.host AND c.experiment = e.name
                 ORDER BY c.host_ord, measured_at DESC LIMIT 1), 'not recorded') AS commitname;
