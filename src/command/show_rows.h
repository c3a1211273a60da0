/* The rows of an experiment's results, as texts by column.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COMMAND_SHOW_ROWS_H
#define TILELAB_COMMAND_SHOW_ROWS_H

#include "results/columns.h"

/* A row has a text for each of columns_result; the text is empty where the file lacks the column. */
struct show_rows {
    char **field; /* owned; count * RESULT_COLUMNS texts, owned, NULL where empty */
    size_t count;
};

/* Reads results.csv of an experiment. Where a run was cut off before it wrote that file, the rows are read from the
 * journal. False after a line on stderr. The caller frees the rows in any case. */
bool show_rows_read(const char *folder, const char *experiment, struct show_rows *rows);
void show_rows_free(struct show_rows *rows);

/* The text at a row and column. */
static inline const char *show_rows_field(const struct show_rows *rows, size_t row, size_t column)
{
    const char *text = rows->field[row * RESULT_COLUMNS + column];
    return text ? text : "";
}

/* The number of a column, or RESULT_COLUMNS where there is no such column. */
size_t show_rows_column(const char *name);

#endif
