-- The legend of the marks behind a time, from flags.def: lines in LaTeX. SPDX-License-Identifier: MIT
SELECT '\flag{' || letter || '}{' || latex(translated(name)) || '}{' || latex(translated(meaning)) || '}'
FROM marks ORDER BY ord;
