-- The hosts that the report shows, as HOST=LABEL. SPDX-License-Identifier: MIT
-- needs: chosen.sql
SELECT host || '=' || title FROM about ORDER BY ord;
