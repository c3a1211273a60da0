-- What does the place of the residual cost? SPDX-License-Identifier: MIT
-- asks.ru: Сколько стоит вычисление невязки на хосте
-- says: The residual on the host makes Jacobi take \ratio[place_]{} times the time of the residual on the
--   device\judged[place_], and the tile takes \ratio[tile_]{} times the time of no tile\judged[tile_] ($n =
--   \fact{n}$, $\omega =$ \fact{omega}).\when{place_verdict}{slower}{\whennot{tile_verdict}{slower}{ What the source
--   shows as the gain of tiling is the residual's place.}}
-- says.ru: Время метода Якоби с невязкой на хосте относительно невязки на устройстве — \ratio[place_]\judged[place_],
--   с тайлом относительно варианта без тайла — \ratio[tile_]\judged[tile_] ($n = \fact{n}$, $\omega =$
--   \fact{omega}).\when{place_verdict}{slower}{\whennot{tile_verdict}{slower}{ Выигрыш, который источник приписывает
--   тайлу, даёт место вычисления невязки.}}
-- rank: 12
-- chapter: solvers
-- facts
-- Blocks have 16 threads as in the table of one change at a time.
WITH found AS (
    SELECT h.*, t.base AS tiled, t.ratio AS tile_ratio, t.low AS tile_low, t.high AS tile_high,
           t.verdict AS tile_verdict, t.flagged AS tile_flagged,
           row_number() OVER (PARTITION BY h.host, h.experiment ORDER BY t.low IS NULL, h.n DESC, h.omega) AS turn
    FROM versus h JOIN versus t ON t.host = h.host AND t.experiment = h.experiment AND t.task = h.task
      AND t.idea = 'cuda-global' AND t.base = 'cuda-tiled' AND t.base_tile = 16
      AND coalesce(t.tile, 16) = 16
    WHERE h.problem = 'jacobi' AND h.idea = 'cuda-hostcheck' AND h.base = 'cuda-global' AND h.sweeps IS NULL
      AND coalesce(h.tile, 16) = 16 AND coalesce(h.base_tile, 16) = 16)
SELECT host, experiment, idea, base, tiled, n, fraction(omega) AS omega, cost_ratio AS place_ratio,
       cost_low AS place_low, cost_high AS place_high, verdict AS place_verdict, flagged AS place_flagged, tile_ratio,
       tile_low, tile_high, tile_verdict, tile_flagged
FROM found WHERE turn = 1 ORDER BY host_ord, n DESC, study_ord;
