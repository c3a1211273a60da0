-- The time of the newest measurement that the report shows, in seconds. SPDX-License-Identifier: MIT
-- needs: chosen.sql
SELECT coalesce(max(e.measured_at), 0) FROM experiments e JOIN chosen c ON c.host = e.host AND c.experiment = e.name;
