-- The sizes at which a submission is wrong, for `tilelab verify`: a short list, small sizes first, since one size may
-- not show where the elements are. Parameter: :own, the full name of the variant. SPDX-License-Identifier: MIT
SELECT group_concat(n)
FROM (SELECT DISTINCT n FROM results WHERE variant = :own AND status = 'wrong' ORDER BY n LIMIT 4);
