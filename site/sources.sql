-- The hash of each variant's source in this program. SPDX-License-Identifier: MIT
SELECT name, source_hash FROM known ORDER BY name;
