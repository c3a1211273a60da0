-- The claims that the report shows: all of them, or those of the asked studies. Parameter: :studies.
-- SPDX-License-Identifier: MIT
-- needs: chosen.sql
CREATE TEMP TABLE shown_claim AS
SELECT DISTINCT c.id FROM claims c
WHERE trim(coalesce(:studies, '')) = ''
   OR EXISTS (SELECT 1 FROM study s WHERE instr(' ' || c.studies || ' ', ' ' || s.experiment || ' '));
