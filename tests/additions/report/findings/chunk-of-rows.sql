-- Which chunk of rows is the fastest? SPDX-License-Identifier: MIT
-- asks.ru: Какая порция строк быстрее всех
-- says: Sums are fastest in chunks of \fact{chunk} \plural{chunk}{row}{rows}: \fact{time} at $n = \fact{n}$.
-- says.ru: Суммы быстрее всего порциями строк по \fact{chunk}: \fact{time} при $n = \fact{n}$.
-- rank: 1
-- chapter: add
-- facts
SELECT host, experiment, n, chunk, si(median_s, 's') AS time
FROM (SELECT *, row_number() OVER (PARTITION BY host ORDER BY n DESC, median_s) AS turn FROM results
      WHERE variant = 'add/omp' AND status = 'ok') JOIN chosen USING (host, experiment)
WHERE turn = 1 ORDER BY host_ord;
