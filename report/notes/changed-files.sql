-- CSV files that are not those that the run record names. SPDX-License-Identifier: MIT
-- says: \fact{files} \plural{count}{is not the file that its}{are not the files that their} run record names: somebody
--   changed \plural{count}{it}{them} after the run, or a run has not ended.
-- says.ru: Файлы, которые не совпадают с записью об измерении (изменены после него, или измерение не завершено):
--   \fact{files}.
-- facts
SELECT f.host, f.experiment, group_concat(f.file, ', ') AS files, count(*) AS count
FROM changed_files f JOIN chosen c USING (host, experiment) GROUP BY f.host, f.experiment ORDER BY min(c.host_ord);
