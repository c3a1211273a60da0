-- The times to solution of a study's sizes on a host: the table `timed`, one for each n, precision, place and method.
-- Parameter: :host. SPDX-License-Identifier: MIT
--   home  the physical machine that has most of the times of a size; among equals one of the study comes first
--   spot  the order of the places
-- A time of another machine stands there only where that machine lacks it.
CREATE TEMP TABLE timed AS
WITH here AS (
    SELECT *, CASE place WHEN 'one core' THEN 1 WHEN 'all cores' THEN 2 WHEN 'GPU' THEN 3 ELSE 4 END AS spot
    FROM solutions WHERE host = :host AND n IN (SELECT n FROM good WHERE solver AND sweeps IS NULL)),
homes AS (
    SELECT machine, n, precision,
           row_number() OVER (PARTITION BY n, precision
                              ORDER BY count(*) DESC, machine IN (SELECT machine FROM good) DESC, machine) AS turn
    FROM here GROUP BY machine, n, precision),
told AS (
    SELECT h.*, m.machine AS home,
           row_number() OVER (PARTITION BY h.n, h.precision, h.place, h.method
                              ORDER BY h.machine <> m.machine, h.weak IS NOT NULL, h.s) AS turn
    FROM here h JOIN homes m ON m.n = h.n AND m.precision = h.precision AND m.turn = 1)
SELECT * FROM told WHERE turn = 1;
