-- The characteristics of CPU and GPU of every host that the report shows, as the table `characteristic`.
-- SPDX-License-Identifier: MIT
-- needs: chosen.sql

-- The studies of a host may have run on machines of several kinds. The value of most studies comes first; `studies`
-- names the studies that another value belongs to.
CREATE TEMP TABLE fact AS
SELECT m.host, m.key, m.value, row_number() OVER (PARTITION BY m.host, m.key ORDER BY count(*) DESC, m.value) AS place,
       min(m.experiment) || iif(count(*) > 1, ', …', '') AS studies
FROM machine m JOIN chosen USING (host, experiment)
WHERE m.value IS NOT NULL AND m.value NOT IN ('', '0') GROUP BY m.host, m.key, m.value;

CREATE TEMP TABLE shown(ord INTEGER, key TEXT, name TEXT, unit TEXT);
INSERT INTO shown VALUES
 (10, 'machine.cpu_model', 'CPU', ''), (11, 'machine.architecture', 'Architecture', ''),
 (12, 'machine.cores', 'Cores used', ''), (13, 'machine.cores_online', 'Cores online', ''),
 (14, 'machine.quota_cores', 'CPU quota, cores', ''), (15, 'machine.sockets', 'Sockets', ''),
 (16, 'machine.smt', 'Hardware threads a core', ''), (17, 'machine.numa_nodes', 'NUMA nodes', ''),
 (18, 'machine.nominal_ghz', 'Nominal clock, GHz', ''), (19, 'machine.governor', 'Clock governor', ''),
 (20, 'machine.simd', 'Vector instructions', ''), (21, 'machine.l1d_bytes', 'L1 data cache a core', 'KiB'),
 (22, 'machine.l2_bytes', 'L2 cache a core', 'KiB'), (23, 'machine.l3_bytes', 'L3 cache', 'MiB'),
 (24, 'machine.memory_bytes', 'Memory', 'GiB'), (25, 'machine.memory_limit_bytes', 'Memory limit', 'GiB'),
 (50, 'gpu.name', 'GPU', ''), (51, 'gpu.compute_capability', 'Compute capability', 'sm'),
 (52, 'gpu.multiprocessors', 'Multiprocessors', ''), (53, 'gpu.clock_khz', 'Nominal clock', 'MHz'),
 (54, 'gpu.memory_bytes', 'GPU memory', 'GiB'), (55, 'gpu.memory_clock_khz', 'Memory clock', 'MHz'),
 (56, 'gpu.memory_bus_bits', 'Memory bus, bits', ''), (57, 'gpu.l2_bytes', 'GPU L2 cache', 'MiB'),
 (58, 'gpu.shared_per_block_optin_bytes', 'Shared memory a block', 'KiB'),
 (59, 'gpu.shared_per_sm_bytes', 'Shared memory of an SM', 'KiB'), (60, 'gpu.driver', 'Driver', ''),
 (61, 'gpu.cuda_runtime', 'CUDA runtime', 'CUDA'), (70, 'machine.os', 'Operating system', ''),
 (71, 'machine.kernel', 'OS kernel', ''), (72, 'compiler.version', 'C compiler', ''),
 (73, 'compiler.nvcc', 'nvcc', '');

-- The ceilings of each host. Those of several physical machines are a range.
CREATE TEMP TABLE rate AS
WITH measured AS (
    SELECT * FROM ceilings c
    WHERE host IN (SELECT host FROM chosen)
      AND threads IN (1, (SELECT max(t.threads) FROM ceilings t WHERE t.host = c.host AND t.problem = c.problem)))
SELECT host, ord, name,
       -- The unit of a range stands once, unless its ends have two.
       group_concat(CASE WHEN low = high THEN ''
                         WHEN substr(low, instr(low, ' ')) = substr(high, instr(high, ' '))
                             THEN substr(low, 1, instr(low, ' ') - 1) || '–'
                         ELSE low || ' – ' END || marked(high, flagged), ' / ')
       || coalesce(' (1 / ' || nullif(max(threads), 1) || ')', '') AS value
FROM (SELECT host, threads, iif(side = 'GPU', 80, 40) + CASE problem WHEN 'fma' THEN 0 WHEN 'copy' THEN 5 ELSE 6 END
             + CASE precision WHEN 'f64' THEN 1 WHEN 'i32' THEN 2 WHEN 'f16' THEN 3 WHEN 'i8' THEN 4 ELSE 0 END
               * (problem = 'fma')
             AS ord,
             side || CASE problem WHEN 'fma' THEN ' peak ' || precision || iif(on_tensor, ', tensor', '')
                                  WHEN 'copy' THEN ' copy' ELSE ' read' END
             || iif(side = 'GPU', '', ', 1 / all threads') AS name,
             si(1e9 * min(rate), unit) AS low, si(1e9 * max(rate), unit) AS high, flagged
      FROM (SELECT host, side, problem, iif(problem = 'fma', precision, '') AS precision, threads,
                   iif(problem = 'fma', tensor, 0) AS on_tensor, max(rate) AS rate, flagged,
                   CASE WHEN problem <> 'fma' THEN 'B/s' WHEN precision GLOB 'i*' THEN 'op/s' ELSE 'FLOP/s' END AS unit
            FROM measured GROUP BY 1, 2, 3, 4, 5, 6, machine)
      GROUP BY host, side, problem, precision, on_tensor, threads
      ORDER BY threads)
GROUP BY host, name;

-- The physical machines of each host, with the peak of their CPU on all threads.
CREATE TEMP TABLE physical AS
WITH place AS (SELECT DISTINCT host, machine, coalesce(machine_mark, '') AS mark FROM results),
peak AS (
    SELECT c.host, p.mark, max(c.rate) AS rate, c.flagged FROM ceilings c JOIN place p USING (host, machine)
    WHERE c.problem = 'fma' AND c.side = 'CPU' AND c.precision = 'f32'
      AND c.threads = (SELECT max(t.threads) FROM ceilings t WHERE t.host = c.host AND t.problem = 'fma')
    GROUP BY 1, 2),
counted AS (
    SELECT r.host, coalesce(r.machine_mark, '') AS mark, max(r.machine_number) AS number, count(*) AS cells
    FROM results r JOIN chosen USING (host, experiment) WHERE r.status = 'ok' AND NOT r.probe GROUP BY 1, 2)
SELECT host, ord, name, group_concat(coalesce(number, 'not recorded') || ': ' || text, '; ') AS value
FROM (SELECT host, number, 110 AS ord, 'Cells on each physical machine' AS name, cells AS text FROM counted
      UNION ALL
      SELECT c.host, c.number, 111, 'CPU peak f32 of each physical machine',
             marked(si(1e9 * p.rate, 'FLOP/s'), p.flagged)
      FROM counted c JOIN peak p USING (host, mark)
      ORDER BY 1, 3, 2 NULLS LAST)
GROUP BY host, ord;

CREATE TEMP TABLE characteristic AS
SELECT ord, name, host, label, host_ord,
       iif(count(*) = 1, value,
           group_concat(translated(value) || iif(place > 1, ' (' || studies || ')', ''), '; ')) AS value
FROM (SELECT s.ord, s.name, a.host, a.label, a.ord AS host_ord, min(f.place) AS place, f.studies,
             CASE s.unit WHEN 'KiB' THEN sig(f.value / 1024.0, 4) || ' KiB'
                         WHEN 'MiB' THEN sig(f.value / 1048576.0, 4) || ' MiB'
                         WHEN 'GiB' THEN sig(f.value / 1073741824.0, 3) || ' GiB'
                         WHEN 'MHz' THEN sig(f.value / 1000.0, 4) || ' MHz'
                         WHEN 'CUDA' THEN 'CUDA ' || f.value
                         WHEN 'sm' THEN f.value || ' (sm_' || replace(f.value, '.', '') || ')'
                         ELSE f.value END AS value
      FROM shown s JOIN fact f USING (key) JOIN about a USING (host)
      GROUP BY s.ord, s.name, a.host, 8
      ORDER BY s.ord, s.name, a.host, f.place)
GROUP BY ord, name, host
UNION ALL
SELECT 73, 'C compiler flags', a.host, a.label, a.ord, f.value FROM fact f JOIN about a USING (host)
WHERE f.key = 'compiler.flags' AND f.place = 1
UNION ALL
-- Each run has measured how many threads gain, and the studies are runs of several machines and hours.
SELECT 13, 'Effective cores', a.host, a.label, a.ord,
       iif(sig(min(f.value + 0), 3) = sig(max(f.value + 0), 3), '', sig(min(f.value + 0), 3) || '–')
       || sig(max(f.value + 0), 3)
FROM fact f JOIN about a USING (host) WHERE f.key = 'machine.effective_cores' GROUP BY a.host
UNION ALL
SELECT p.ord, p.name, a.host, a.label, a.ord, p.value FROM physical p JOIN about a USING (host)
UNION ALL
SELECT r.ord, r.name, a.host, a.label, a.ord, r.value FROM rate r JOIN about a USING (host);
