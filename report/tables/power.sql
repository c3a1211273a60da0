-- Speed, power and energy of each variant, and what zeros change. SPDX-License-Identifier: MIT
-- caption: Speed, power and energy of one run on random numbers, the power of the idle device included, at the largest
--   $n$ of each problem\anyfact{brief}{ (the site has all variants)}. The last columns: what zeros change
-- caption.ru: Скорость, мощность и энергия одного запуска на случайных числах (с мощностью простоя) при наибольшем $n$
--   каждой задачи\anyfact{brief}{ (все варианты — на сайте)}. Последние столбцы: что меняют нули
--
CREATE TEMP TABLE powered AS
SELECT g.*, e.joules, drop_axes(g.settings, 'inputs') AS other
FROM good g JOIN energies e USING (host, experiment, cell)
WHERE g.n = (SELECT max(n) FROM good o WHERE o.problem = g.problem AND o.precision = g.precision AND o.energy_j > 0);

-- A report of many studies has of each problem the first rung, the two fastest, the one of least energy and the
-- libraries.
CREATE TEMP TABLE listed AS
WITH placed AS (
    SELECT cell, library, row_number() OVER (task ORDER BY ord) AS rung,
           row_number() OVER (task ORDER BY median_s) AS fast,
           row_number() OVER (task ORDER BY joules IS NULL, joules) AS frugal
    FROM powered WHERE usual WINDOW task AS (PARTITION BY problem, precision, library IS NULL))
SELECT cell FROM placed
WHERE NOT EXISTS (SELECT 1 FROM brief) OR library IS NOT NULL OR rung = 1 OR fast <= 2 OR frugal = 1;

-- group
-- align: llrrrrrrr
SELECT u.problem || ' ' || u.precision AS "Problem",
       u.idea || a.tuning_label || coalesce(' × ' || u.threads, '') AS "Variant",
       u.n AS "n", marked(sig(u.gflops), u.flagged) AS "GFLOP/s", sig(u.power_w) AS "W",
       sig(u.gflops_per_w) AS "GFLOP/s per W", si(u.energy_j, 'J') AS "Energy a run",
       marked(ratio(u.span, z.span), u.flagged, z.flagged) AS "Zeros, speed", sig(z.power_w) AS "Zeros, W"
FROM powered u JOIN named a ON a.cell = u.cell
LEFT JOIN powered z ON z.variant = u.variant AND z.other = u.other AND z.machine IS u.machine
  AND z.inputs = 'zeros' AND z.conditions = 1
WHERE u.cell IN (SELECT cell FROM listed)
ORDER BY u.problem <> 'matmul', min(u.ord) OVER (PARTITION BY u.problem), u.precision, u.ord, u.threads;

-- facts
SELECT max(yes) AS brief FROM brief;
