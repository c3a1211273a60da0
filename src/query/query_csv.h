/* Loading of CSV files into SQL tables. An empty field becomes NULL.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_QUERY_QUERY_CSV_H
#define TILELAB_QUERY_QUERY_CSV_H

#include "left_out.h"

/* Loads the file left_out->path into a table whose columns the file's header names. The column `host` is set to
 * left_out->host and the column `experiment` to the given text, where these are not NULL. What cannot be read is left
 * out and told: a column that the table lacks, a row, the rest of a file, or the file. */
void query_csv_load(sqlite3 *db, const char *table, const char *experiment, struct left_out *left_out);
/* The same with the bytes of a stream, which is closed. */
void query_csv_load_stream(sqlite3 *db, FILE *file, const char *table, const char *experiment,
                           struct left_out *left_out);

/* Loads a file into a new table, named `stem`. The type of each column follows from its values. Returns 0, or -1 after
 * a line on `diagnostics` that names the file and the line. */
int query_csv_load_published(sqlite3 *db, const char *path, const char *stem, FILE *diagnostics);

#endif
