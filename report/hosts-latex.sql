-- The hosts that the report shows, as HOST=LABEL with a label in LaTeX. SPDX-License-Identifier: MIT
-- needs: chosen.sql
SELECT host || '=' || latex(translated(title)) FROM about ORDER BY ord;
