-- What site.js needs to find the cell behind a number of a table or a point of a curve, as a call of JavaScript.
-- Parameters: :host, :experiment. SPDX-License-Identifier: MIT
-- needs: ../report/chosen.sql ../figures/study.sql
SELECT 'tilelab.cells(' || json_object(
           'study', :experiment, 'host', :host, 'label', (SELECT translated(label) FROM about WHERE host = :host),
           'cells', json_group_array(json_array(
               c.cell, c.variant, c.idea, translated(k.curve), translated(k.family), c.n, c.threads, c.tile,
               c.precision))) || ');'
FROM cell c LEFT JOIN curves k USING (cell) WHERE NOT c.probe;
