-- The name of each phrase, and its words in the language as HTML. Run site/phrases.sql before this file.
-- SPDX-License-Identifier: MIT
SELECT coalesce(name, text), html(translated(text)) FROM phrase;
