-- Each host and its label in the language, as HTML. SPDX-License-Identifier: MIT
-- needs: ../report/chosen.sql
SELECT host, html(translated(label)) FROM about ORDER BY ord;
