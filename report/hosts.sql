-- The hosts that the report shows, as HOST=LABEL. SPDX-License-Identifier: MIT
SELECT host || '=' || title FROM about ORDER BY ord;
