/* The SQL function prose. SPDX-License-Identifier: MIT */
#ifndef TILELAB_QUERY_QUERY_PROSE_H
#define TILELAB_QUERY_QUERY_PROSE_H

#include <sqlite3.h>

/* Adds prose(text): a paragraph of an experiment file as LaTeX. Text between dollars is a formula, text between
 * backquotes a name in typewriter type; everything else prints as its characters. Returns an SQLite status. */
int query_prose_add(sqlite3 *db);

#endif
