-- Shortens the tables of a report of many studies: the site has all rows. Run this file between figures/study.sql and a
-- table's file. SPDX-License-Identifier: MIT
INSERT INTO brief VALUES (1);
