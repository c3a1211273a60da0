/* A table of texts, printed in aligned columns.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_QUERY_TABLE_H
#define TILELAB_QUERY_TABLE_H

#include "rows.h"

#include <stdbool.h>
#include <stddef.h>

enum { TABLE_COLUMNS_MAX = 48 };

struct table {
    bool markdown; /* printed as a table of Markdown */
    struct table_column {
        const char *head;
        bool left;     /* aligned to the left */
        bool optional; /* not printed if no row has a text */
    } column[TABLE_COLUMNS_MAX];
    size_t columns;
    char **text; /* owned, by row */
    size_t texts;
};

/* Adds a column. All columns come before the first text. */
void table_column(struct table *table, const char *head, bool left, bool optional);

/* Adds the next text of the current row: a copy, made harmless for a terminal. */
void table_text(struct table *table, const char *text);
/* Adds the next text of the current row, in the manner of printf. */
__attribute__((format(printf, 2, 3))) void table_print(struct table *table, const char *format, ...);
/* Adds a count; 0 is an empty text. */
void table_count(struct table *table, size_t count);

/* Writes the heads and the rows to standard output, then frees the texts and empties the table. */
void table_end(struct table *table);

/* Prints the rows of a query as a table. Without a directive "-- align:", columns of numbers are aligned to the right.
 * Columns without a value are left out. */
void table_rows(const struct rows *rows, bool markdown);

#endif
