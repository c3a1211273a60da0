-- The hosts that the report shows, as HOST=LABEL. SPDX-License-Identifier: MIT
SELECT host || '=' || upper(substr(label, 1, 1)) || substr(label, 2) FROM about ORDER BY ord;
