/* The SQL functions of `tilelab query`, which its help lists.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_QUERY_QUERY_FUNCTIONS_H
#define TILELAB_QUERY_QUERY_FUNCTIONS_H

#include <sqlite3.h>

/* Registers them; returns SQLite's code. */
int query_functions_add(sqlite3 *db);

#endif
