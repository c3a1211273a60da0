-- Bank conflicts and sectors of each GPU variant: the bank model beside the counters. SPDX-License-Identifier: MIT
-- problems: matmul aat
-- needs: ../chosen.sql
-- caption: Bank conflicts as the laboratory counts them: wavefronts beyond those that the words need, in one
--   launch\each{. \hostbrief{}, $n = \fact{n}$, tile 32: \fact{a} in A, \fact{b} in B, \fact{pad} in
--   B*}\anyfact{counted}{. The model stands above the counters}
-- caption.ru: Конфликты банков, как их считает лабораторная: волны сверх необходимых для слов, за один запуск\each{.
--   \hostbrief{}, $n = \fact{n}$, тайл 32: \fact{a} в A, \fact{b} в B, \fact{pad} в B*}\anyfact{counted}{. Модель стоит
--   над счётчиками}

-- The model is the same on all hosts: the table shows it for the first host that it shows, if possible one with
-- counters, else one that has measured on a GPU.
CREATE TEMP TABLE told AS
WITH modelled AS (
    SELECT r.host, h.ord, r.cell, r.n, k.cell IS NOT NULL AS counted, r.status = 'ok' AS measured
    FROM results r JOIN chosen USING (host, experiment) JOIN hosts h USING (host)
    LEFT JOIN counters k ON k.host = r.host AND k.experiment = r.experiment AND k.cell = r.cell AND k.status = 'ok'
                            AND k.source_hash IS r.source_hash
    WHERE r.experiment = :experiment AND r.side = 'GPU' AND NOT r.probe),
place AS (
    SELECT host, rank() OVER (ORDER BY max(counted) DESC, max(measured) DESC, ord) AS place,
           coalesce(max(iif(counted AND n = 1024, n, NULL)), max(iif(counted, n, NULL)),
                    max(iif(n = 1024, n, NULL)), max(n)) AS n
    FROM modelled GROUP BY host)
SELECT m.cell FROM modelled m JOIN place p USING (host, n)
WHERE p.place < (SELECT place FROM place WHERE host = :host);
CREATE TEMP TABLE shown AS
SELECT * FROM bank WHERE cell IN (SELECT cell FROM counted) OR cell NOT IN (SELECT cell FROM told);

CREATE TEMP TABLE counts AS
SELECT cell, 0 AS counters, model ->> '$.shared_store.instructions' AS stores,
       model ->> '$.shared_store.wavefronts' AS store_wavefronts,
       model ->> '$.shared_load.instructions' AS loads, model ->> '$.shared_load.wavefronts' AS load_wavefronts,
       model ->> '$.global_load.instructions' AS reads, model ->> '$.global_load.sectors' AS read_sectors,
       model ->> '$.global_store.instructions' AS writes, model ->> '$.global_store.sectors' AS write_sectors,
       (model ->> '$.shared_store.conflicts') + (model ->> '$.shared_load.conflicts') AS conflicts
FROM shown
UNION ALL
SELECT cell, 1, shared_store_instructions, shared_store_wavefronts, shared_load_instructions, shared_load_wavefronts,
       global_load_requests, global_load_sectors, global_store_requests, global_store_sectors,
       shared_store_wavefronts + shared_load_wavefronts
         - (SELECT (model ->> '$.shared_store.wavefronts') - (model ->> '$.shared_store.conflicts')
                   + (model ->> '$.shared_load.wavefronts') - (model ->> '$.shared_load.conflicts')
            FROM shown b WHERE b.cell = counted.cell)
FROM counted WHERE cell IN (SELECT cell FROM shown);

-- How far the counters are from the model. `shared`: all four counts are equal; `sectors`: the larger deviation.
CREATE TEMP TABLE agreement AS
SELECT cell, c.stores = m.stores AND c.store_wavefronts = m.store_wavefronts AND c.loads = m.loads
               AND c.load_wavefronts = m.load_wavefronts AS shared,
       max(abs(1.0 * c.read_sectors / m.read_sectors - 1), abs(1.0 * c.write_sectors / m.write_sectors - 1)) AS sectors
FROM counts c JOIN counts m USING (cell) WHERE c.counters AND NOT m.counters;

-- group
-- align: llrrrrrrrll
SELECT b.idea || ', tile ' || b.tile || iif(b.padding IS NULL, '', ' + ' || b.padding) AS "Variant",
       iif(c.counters, 'counters', 'model') AS "Source",
       printf('%,d', c.conflicts) AS "Conflicts", printf('%,d', c.stores) AS "Stores",
       printf('%,d', c.store_wavefronts) AS "wavefronts",
       sig(1.0 * c.store_wavefronts / nullif(c.stores, 0), 3) AS "each",
       printf('%,d', c.loads) AS "Loads", printf('%,d', c.load_wavefronts) AS "wavefronts",
       sig(1.0 * c.read_sectors / nullif(c.reads, 0), 3) AS "Sectors",
       CASE WHEN c.counters THEN coalesce(iif(a.shared, 'equal', 'differ'), 'not counted') END AS "Shared",
       CASE WHEN c.counters THEN coalesce(iif(a.sectors <= 0.01, 'within 1 %', sig(100 * a.sectors) || ' % off'),
                                          'not counted') END
         AS "Global"
FROM shown b JOIN counts c USING (cell) LEFT JOIN agreement a USING (cell)
ORDER BY b.precision, b.tile DESC, b.ord, b.padding, c.counters;

-- facts
SELECT :host AS host, max(n) AS n, max(iif(idea = 'cuda-a', printf('%,d', conflicts), NULL)) AS a,
       max(iif(idea = 'cuda-b', printf('%,d', conflicts), NULL)) AS b,
       max(iif(idea = 'cuda-b-pad' AND padding = 1, printf('%,d', conflicts), NULL)) AS pad,
       (SELECT max(1) FROM counts WHERE counters) AS counted
FROM shown JOIN counts USING (cell) WHERE NOT counters AND tile = 32 AND precision = 'f32' HAVING a IS NOT NULL;
