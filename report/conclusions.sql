-- The report's conclusions, from all studies shown. SPDX-License-Identifier: MIT
CREATE TEMP TABLE every AS
SELECT r.*, substr(variant, instr(variant, '/') + 1) AS idea, iif(backend = 'cuda', 'GPU', 'CPU') AS side,
       backend = 'blas' OR variant GLOB '*/cublas' AS vendor, a.label, a.ord AS host_ord
FROM results r JOIN chosen USING (host, experiment) JOIN about a USING (host)
WHERE status = 'ok' AND problem NOT IN ('fma', 'copy', 'read') AND r.experiment <> 'smoke';

CREATE TEMP TABLE line(ord INTEGER, text TEXT);

-- In each study, on each host and device: the best own variant against the library, at the largest n that both have.
-- Times of different studies are never compared.
INSERT INTO line
SELECT 10 + o.host_ord, latex(upper(substr(o.label, 1, 1)) || substr(o.label, 2)) || ', ' || o.side || ', ' || o.precision
       || ': at $n = ' || o.n || '$ the fastest own variant, ' || latex(o.idea) || ', reaches ' || sig(o.gflops, 3)
       || '~GFLOP/s, ' || sig(100 * v.median_s / o.median_s, 3) || '\,\% of ' || latex(v.idea) || ' ('
       || sig(v.gflops, 3) || '~GFLOP/s; study ' || latex(o.experiment)
       || iif(o.side = 'CPU', ', on ' || coalesce(o.threads, 1) || iif(coalesce(o.threads, 1) = 1, ' thread', ' threads')
              || iif(coalesce(o.threads, 1) = coalesce(v.threads, 1), '', ', the library on ' || v.threads), '') || ').'
FROM (SELECT *, min(median_s) AS least FROM every e
      WHERE NOT vendor AND idea NOT LIKE 'cublas-%'
        AND n = (SELECT max(w.n) FROM every w JOIN every q
                   ON q.host = w.host AND q.experiment = w.experiment AND q.side = w.side AND q.precision = w.precision AND q.n = w.n AND q.vendor
                 WHERE NOT w.vendor AND w.idea NOT LIKE 'cublas-%' AND w.host = e.host AND w.experiment = e.experiment AND w.side = e.side
                   AND w.precision = e.precision)
      GROUP BY host, experiment, side, precision) o
JOIN (SELECT *, min(median_s) AS least FROM every WHERE vendor GROUP BY host, experiment, side, precision, n) v
  ON v.host = o.host AND v.experiment = o.experiment AND v.side = o.side AND v.precision = o.precision AND v.n = o.n;

-- How much order of loops and tiles give on one thread.
INSERT INTO line
SELECT 30, latex(upper(substr(a.label, 1, 1)) || substr(a.label, 2)) || ': on one thread, walking rows (seq-ikj) instead of columns (seq-ijk) is '
       || sig(a.median_s / b.median_s, 3) || ' times as fast at $n = ' || a.n || '$, ' || a.precision || '.'
FROM (SELECT *, min(median_s) AS least FROM every WHERE idea = 'seq-ijk' GROUP BY host, experiment, precision, n) a
JOIN (SELECT *, min(median_s) AS least FROM every WHERE idea = 'seq-ikj' GROUP BY host, experiment, precision, n) b
  ON b.host = a.host AND b.experiment = a.experiment AND b.precision = a.precision AND b.n = a.n AND b.opt IS a.opt
GROUP BY a.host HAVING a.n = max(a.n);

INSERT INTO line
SELECT 40, latex(upper(substr(a.label, 1, 1)) || substr(a.label, 2)) || ': tiles in shared memory make the GPU kernel ' || sig(a.median_s / b.median_s, 3)
       || ' times as fast as global memory alone, copies left out, at $n = ' || a.n || '$, ' || a.precision
       || ' (study ' || latex(a.experiment) || ').'
FROM (SELECT *, min(median_s) AS least FROM every WHERE idea = 'cuda-global' GROUP BY host, experiment, precision, n) a
JOIN (SELECT *, min(median_s) AS least FROM every WHERE idea = 'cuda-shared' GROUP BY host, experiment, precision, n) b
  ON b.host = a.host AND b.experiment = a.experiment AND b.precision = a.precision AND b.n = a.n
GROUP BY a.host, a.experiment, a.precision HAVING a.n = max(a.n);

INSERT INTO line
SELECT 90, 'Of ' || count(*) || ' cells ' || sum(status = 'ok') || ' are measured and verified, '
       || sum(status = 'skipped') || ' skipped with a reason and ' || sum(status NOT IN ('ok', 'skipped'))
       || ' failed or wrong; the last two kinds are listed in their chapters.'
FROM results JOIN chosen USING (host, experiment) HAVING count(*) > 0;

SELECT '\item ' || text FROM line ORDER BY ord, rowid;
