-- The words of site.js, as a call of JavaScript. Run site/phrases.sql before this file. SPDX-License-Identifier: MIT
SELECT 'tilelab.words(' || json_group_object(text, translated(text)) || ');' FROM script_phrase;
