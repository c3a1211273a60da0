/* The tables and views of `tilelab query`.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_QUERY_QUERY_SCHEMA_H
#define TILELAB_QUERY_QUERY_SCHEMA_H

#include <sqlite3.h>
#include <stdio.h>

/* Creates the tables, all empty, and the views. Returns 0, or -1 after a line on `diagnostics`. */
int query_schema_create(sqlite3 *db, FILE *diagnostics);

/* Creates the indexes of the tables `samples` and `history`, once their rows are there. Returns as query_schema_create.
 */
int query_schema_index(sqlite3 *db, FILE *diagnostics);

#endif
