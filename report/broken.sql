-- A line if the summary has a row whose peak is broken, which its text then explains. SPDX-License-Identifier: MIT
-- needs: paired.sql
SELECT 'broken' FROM paired WHERE shown AND broken LIMIT 1;
