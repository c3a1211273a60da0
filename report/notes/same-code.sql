-- What the last calibration of a machine says of the rule of comparison, for the section on the method. Run
-- report/calibration.sql before this file. SPDX-License-Identifier: MIT
-- says: The same code under two names was measured in \fact{cells} \plural{cells}{cell}{cells} of the \fact{side}
--   (profile \code{profile}). The rule of comparison called \fact{differ} of them\whennot{differ}{0}{,
--   \fact{share}\,\%,} faster or slower.
--   Half of these ratios have an interval of at most $\pm$\fact{width}\,\%, and 95\,\% of them one of at most
--   $\pm$\fact{width_most}\,\%.
-- says.ru: Один и тот же код под двумя именами измерен на \fact{side}, ячеек: \fact{cells} (профиль \code{profile}).
--   Правило сравнения назвало одно из имён более быстрым в \fact{differ} из
--   них\whennot{differ}{0}{, это \fact{share}\,\%}. Половина
--   интервалов этих отношений не шире $\pm$\fact{width}\,\%, а 95\,\% — не шире $\pm$\fact{width_most}\,\%.
-- facts
SELECT k.host, k.side, k.cells, k.faster + k.slower AS differ, k.share, k.width, k.width_most, k.profile
FROM calibrated k JOIN (SELECT host, min(host_ord) AS host_ord FROM chosen GROUP BY host) c USING (host)
ORDER BY c.host_ord, k.side;
