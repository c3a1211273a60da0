-- The name of each phrase, and its words in the language as HTML.
-- SPDX-License-Identifier: MIT
-- needs: phrases.sql
SELECT coalesce(name, text), html(translated(text)) FROM phrase;
