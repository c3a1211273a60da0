-- What the last calibration of a machine says of the rule of comparison, for the section on the method.
-- SPDX-License-Identifier: MIT
-- needs: ../calibration-summary.sql
-- says: The same code under two names was compared \fact{pairs} \plural{pairs}{time}{times} on the \fact{side}
--   (profile \code{profile}). The rule of comparison called one name faster in \fact{differ}
--   \plural{differ}{case}{cases}\whennot{differ}{0}{, \fact{share}\,\%}.
--   Half of these ratios have an interval of at most $\pm$\fact{width}\,\%, and 95\,\% of them one of at most
--   $\pm$\fact{width_most}\,\%.
--   \iffact{halved}{The launches of \fact{halved} cells were split in two halves: the intervals of both halves
--   overlap in \fact{overlap}\,\% of these cells.}
-- says.ru: Один и тот же код под двумя именами сравнивался на \fact{side}, сравнений: \fact{pairs} (профиль
--   \code{profile}). Правило сравнения назвало одно из имён более быстрым в \fact{differ} из
--   них\whennot{differ}{0}{, это \fact{share}\,\%}. Половина
--   интервалов этих отношений не шире $\pm$\fact{width}\,\%, а 95\,\% — не шире $\pm$\fact{width_most}\,\%.
--   \iffact{halved}{Запуски ячеек (числом \fact{halved}) разделены на две половины: интервалы обеих половин
--   пересекаются у \fact{overlap}\,\% этих ячеек.}
-- facts
SELECT k.host, k.side, k.pairs, k.faster + k.slower AS differ, k.share, k.width, k.width_most, k.halved, k.overlap,
       k.profile
FROM calibrated k JOIN (SELECT host, min(host_ord) AS host_ord FROM chosen GROUP BY host) c USING (host)
ORDER BY c.host_ord, k.side;
