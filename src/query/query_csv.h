/* Loading of CSV files into SQL tables. An empty field becomes NULL.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_QUERY_QUERY_CSV_H
#define TILELAB_QUERY_QUERY_CSV_H

#include <sqlite3.h>
#include <stdio.h>

/* Both functions return 0, or -1 after a line on `diagnostics` that names the file and the line. */

/* Loads a file into a table whose columns the file's header names. The columns `host` and `experiment` are set to the
 * given texts, where these are not NULL. */
int query_csv_load(sqlite3 *db, const char *path, const char *table, const char *host, const char *experiment,
                   FILE *diagnostics);

/* Loads a file into a new table, named `stem`. The type of each column follows from its values. */
int query_csv_load_published(sqlite3 *db, const char *path, const char *stem, FILE *diagnostics);

#endif
