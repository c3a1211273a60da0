/* SQL over results: the subcommand `tilelab query`, and queries of other subcommands.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_QUERY_QUERY_H
#define TILELAB_QUERY_QUERY_H

#include "query_parts.h"
#include "rows.h"

#include <stdbool.h>

/* Runs the subcommand; returns the exit code. */
int query_main(int argc, char **argv);

/* Makes the database of a query whose hosts and published folder are set, and loads the data. False after a
 * diagnostic. query_close frees it in any case. */
bool query_open(struct query *query);
/* Drops everything that SQL has made, and loads the data again. */
bool query_reopen(struct query *query);
/* Runs SQL statements one after the other. The rows of the last SELECT come back in *rows, which is zeroed first and
 * which the caller frees with rows_free; `rows` may be NULL. `name` is for diagnostics. False after a diagnostic. */
bool query_run(struct query *query, const char *name, const char *sql, struct rows *rows);
void query_close(struct query *query);

#endif
