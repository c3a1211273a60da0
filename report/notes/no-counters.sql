-- Why the bank model stands alone, and the remedies if the driver refuses counters. SPDX-License-Identifier: MIT
-- says: Conflicts and sectors are those of the bank model alone, and operations are not counted:
--   \when{cause}{stale}{the counts in the data are of other versions of the kernels, which \texttt{make counters}
--   renews}\when{cause}{never}{\texttt{make counters} was not run on this host}\when{cause}{refused}{\fact{reason}}.
--   \whennot{cause}{stale}{Where the driver refuses counters, run \texttt{make counters} as root, or let an
--   administrator set the driver module's option \texttt{NVreg\_RestrictProfilingToAdminUsers=0}.}
-- says.ru: Конфликты и секторы даны только по модели банков, операции не подсчитаны:
--   \when{cause}{stale}{счётчики в данных относятся к другим версиям ядер, их обновит \texttt{make
--   counters}}\when{cause}{never}{на этой машине не запускался \texttt{make
--   counters}}\when{cause}{refused}{\fact{reason}}. \whennot{cause}{stale}{Если драйвер запрещает счётчики, запустите
--   \texttt{make counters} от имени root или попросите администратора задать параметр модуля драйвера
--   \texttt{NVreg\_RestrictProfilingToAdminUsers=0}.}
-- facts
WITH study_of AS (
    SELECT c.host, c.host_ord, c.experiment,
           EXISTS (SELECT 1 FROM counters k WHERE k.host = c.host AND k.experiment = c.experiment AND k.status = 'ok')
             AS counted,
           EXISTS (SELECT 1 FROM counters k JOIN results r USING (host, experiment, cell)
                   WHERE k.host = c.host AND k.experiment = c.experiment AND k.status = 'ok'
                     AND k.source_hash IS r.source_hash) AS current,
           (SELECT k.reason FROM counters k WHERE k.host = c.host AND k.experiment = c.experiment AND k.reason <> ''
            GROUP BY k.reason ORDER BY count(*) DESC, k.reason LIMIT 1) AS reason
    FROM chosen c JOIN tables t USING (host, experiment)
    -- Where no GPU measured, there is nothing to count.
    WHERE t.name = 'conflicts' AND EXISTS (SELECT 1 FROM results r WHERE r.host = c.host AND r.experiment = c.experiment
                                             AND r.side = 'GPU' AND r.status = 'ok' AND NOT r.probe))
SELECT host, experiment, CASE WHEN counted THEN 'stale' WHEN reason IS NULL THEN 'never' ELSE 'refused' END AS cause,
       trim(reason, '.') AS reason
FROM study_of WHERE NOT current ORDER BY host_ord;
