-- The words of site.js, as a call of JavaScript. SPDX-License-Identifier: MIT
-- needs: phrases.sql
SELECT 'tilelab.words(' || json_group_object(text, translated(text)) || ');' FROM script_phrase;
