/* Facts: the rows of the SELECT below a line "-- facts". SPDX-License-Identifier: MIT */
#ifndef TILELAB_QUERY_QUERY_FACTS_H
#define TILELAB_QUERY_QUERY_FACTS_H

#include "rows.h"

#include <stdio.h>

/* The name of the table of an SQL file's facts: its last folder and its name. A figure and a table may have one name.
 * The caller frees the name. */
char *query_facts_name(const char *path);

/* Prints the facts of the SQL file `path` as render/facts.h says. Rows without a column `host` get `host` as this fact;
 * it may be NULL. `rows` may be NULL: the file has no facts. */
void query_facts_print(const struct rows *rows, const char *path, const char *host, FILE *out);

#endif
