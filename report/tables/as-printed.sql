-- What programs compute if they are run as the source prints them, tried on small inputs. SPDX-License-Identifier: MIT
-- caption: What the source's programs compute as printed, as we read its listings, tried on small inputs
-- caption.ru: Что вычисляют программы источника в том виде, в каком они напечатаны (по нашему прочтению), на
--   малых данных
--
-- The query itself does what the listings do, as we read them. The product is tried on two 8 x 8 matrices with tiles of
-- 4, Jacobi's method on two equations.
WITH RECURSIVE number(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM number WHERE i < 7),
-- Elements of a fixed sequence without regularities that a wrong index could meet.
a AS (SELECT r.i AS row, c.i AS col, (r.i * 37 + c.i * 101 + r.i * c.i * 53) % 97 AS x FROM number r, number c),
b AS (SELECT r.i AS row, c.i AS col, (r.i * 71 + c.i * 43 + r.i * c.i * 29 + 5) % 89 AS x FROM number r, number c),
-- c_ij is the sum over k of a_ik times the element of B at (row, col).
used AS (
    SELECT 1 AS program, i.i, j.i AS j, k.i AS k, k.i AS row, j.i AS col FROM number i, number j, number k
    UNION ALL -- The column within the block is left out.
    SELECT 2, i.i, j.i, k.i, k.i, j.i / 4 * 4 FROM number i, number j, number k
    UNION ALL -- The tile of B is read transposed.
    SELECT 3, i.i, j.i, k.i, k.i / 4 * 4 + j.i % 4, j.i / 4 * 4 + k.i % 4 FROM number i, number j, number k),
product AS (
    SELECT u.program, u.i, u.j, sum(a.x * b.x) AS x FROM used u JOIN a ON a.row = u.i AND a.col = u.k
    JOIN b ON b.row = u.row AND b.col = u.col GROUP BY 1, 2, 3),
right AS (SELECT p.program, sum(p.x = q.x) AS elements FROM product p JOIN product q ON q.program = 1 AND q.i = p.i
          AND q.j = p.j GROUP BY p.program),
-- 4 x + y = 9, x + 3 y = 5. `copied`: the old iterate is copied over the new one.
iterate(copied, sweep, x, y) AS (
    SELECT value, 0, 0.0, 0.0 FROM (SELECT 0 AS value UNION ALL SELECT 1)
    UNION ALL
    SELECT copied, sweep + 1, iif(copied, x, (9 - y) / 4), iif(copied, y, (5 - x) / 3) FROM iterate WHERE sweep < 4),
residual AS (SELECT copied, sqrt(pow(9 - 4 * x - y, 2) + pow(5 - x - 3 * y, 2)) / sqrt(9 * 9 + 5 * 5) AS part
             FROM iterate WHERE sweep = 4),
source AS (SELECT source FROM experiments WHERE host = :host AND name = :experiment),
line(ord, source, program, variant, outcome, unit) AS (
    SELECT 1, 'feup', 'SYCL product with blocks', 'the column within the block is not used',
           CAST(elements AS TEXT), 'right elements of 64' FROM right WHERE program = 2
    UNION ALL
    SELECT 2, 'feup', 'SYCL product with local tiles', 'the tile of B is read transposed',
           CAST(elements AS TEXT), 'right elements of 64' FROM right WHERE program = 3
    UNION ALL
    SELECT 3, 'feup', 'product', 'as it should be', CAST(elements AS TEXT), 'right elements of 64' FROM right
    WHERE program = 1
    UNION ALL
    SELECT 4 + (NOT copied), 'granular', 'Jacobi on the GPU',
           iif(copied, 'the old iterate is copied over the new one', 'as it should be'), sig(part, 3),
           'residual after 4 sweeps, over the first' FROM residual)
SELECT program AS "Program", variant AS "As printed", outcome AS "Result", unit AS "Counted in"
FROM line WHERE source = (SELECT source FROM source)
  -- The table is the same for all hosts: the first host of the study shows it.
  AND :host = (SELECT r.host FROM results r JOIN hosts h USING (host) WHERE r.experiment = :experiment ORDER BY h.ord)
ORDER BY ord;
