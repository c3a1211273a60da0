-- Does the swizzle cost time where padding costs memory? SPDX-License-Identifier: MIT
-- asks.ru: Замедляет ли ядро перестановка столбцов (swizzle) вместо дополнения
-- says: The swizzle saves \fact{bytes}~bytes of shared memory a block and takes \ratio[cost_]{times the time} of
--   padding by one column\judged{} at $n = \fact{n}$, \fact{precision}, tile \fact{tile}.
-- says.ru: Перестановка экономит \fact{bytes}~байт разделяемой памяти на блок; её время относительно дополнения одним
--   столбцом — \ratio[cost_]\judged{} при $n = \fact{n}$, \fact{precision}, тайл \fact{tile}.
-- rank: 26
-- chapter: aat
-- facts
WITH found AS (
    SELECT *, row_number() OVER (PARTITION BY host, experiment
                                 ORDER BY x_low IS NULL, n DESC, coalesce(threads, 0) DESC, precision, x DESC) AS turn
    FROM versus
    WHERE problem = 'aat' AND idea = 'cuda-swizzle' AND base = 'cuda-b-pad' AND base_padding = 1 AND tile = base_tile
      AND tile = 32)
SELECT host, experiment, idea, base, precision, n, tile, ratio, low, high, flagged, cost_ratio, cost_low, cost_high,
       cost_flagged, verdict, (known_model(base_variant, base_settings) ->> '$.shared_bytes')
         - (known_model(variant, settings) ->> '$.shared_bytes') AS bytes
FROM found WHERE turn = 1 ORDER BY host_ord, x_low IS NULL, n DESC, study_ord;
