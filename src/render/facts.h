/* Facts: the rows of the SELECT below a line "-- facts" of an SQL file, for texts that a template completes.
 * SPDX-License-Identifier: MIT
 *
 * `tilelab query --format facts` prints them as lines of fields between tabs. A table is "table NAME COLUMN...", a row
 * is "row NAME COLUMN=VALUE...", without the columns that have no value. NAME is the last folder and file of the
 * path. */
#ifndef TILELAB_RENDER_FACTS_H
#define TILELAB_RENDER_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct facts_row {
    char **value; /* [columns of its table]; NULL: no value */
};

struct facts_table {
    char *name; /* as findings/library-gap */
    char **column;
    size_t columns;
    struct facts_row *row;
    size_t rows;
};

struct facts {
    struct facts_table *table;
    size_t tables;
};

/* Adds the facts of a file. The rows of a table that several files have stand one behind the other. False after a
 * message on standard error. The caller frees the facts, which are zero at first, with facts_free. */
bool facts_read(struct facts *facts, const char *path);
/* The same for a stream, whose path is for messages. */
bool facts_take(struct facts *facts, FILE *file, const char *path);
void facts_free(struct facts *facts);

/* The table of a name, or NULL. */
const struct facts_table *facts_find(const struct facts *facts, const char *name);
/* The index of a column, or -1. */
int facts_column(const struct facts_table *table, const char *name);
/* The value of a row; NULL: none, or there is no such column. */
const char *facts_value(const struct facts_table *table, const struct facts_row *row, const char *column);

#endif
