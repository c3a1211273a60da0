-- The words of site.js, and the flags of times by their bits, as calls of JavaScript. SPDX-License-Identifier: MIT
-- needs: phrases.sql
SELECT 'tilelab.words(' || json_group_object(text, translated(text)) || ');' FROM script_phrase;
SELECT 'tilelab.flags(' || json_group_array(json_array(flag(name), name || ' (' || translated(meaning) || ')')) || ');'
FROM marks;
