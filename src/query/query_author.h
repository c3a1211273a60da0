/* Who hands the report in: a YAML file with the keys of the title page.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_QUERY_QUERY_AUTHOR_H
#define TILELAB_QUERY_QUERY_AUTHOR_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>

/* Makes the table author(key, value) and fills it from a file; without a path (NULL) it stays empty. A key without a
 * value has no row. Returns false after a diagnostic. */
bool query_author_load(sqlite3 *db, const char *path, FILE *diagnostics);

#endif
