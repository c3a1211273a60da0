-- The legend of the marks behind a time, from flags.def: the mark, its letter, and what it means as HTML.
-- SPDX-License-Identifier: MIT
SELECT mark, letter, html(translated(meaning)) FROM marks ORDER BY ord;
