/* The rows of one SQL statement, as text.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_QUERY_ROWS_H
#define TILELAB_QUERY_ROWS_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

struct rows {
    size_t columns, count;
    char **name;       /* [columns] */
    char **value;      /* [count * columns]; NULL: SQL NULL */
    char *numeric;     /* [columns]: every value is NULL or of a numeric type */
    char title[64];    /* directive "-- name: curves" */
    char align[256];   /* directive "-- align: lrr" */
    char pivot[2][64]; /* directive "-- pivot: key value": the names of two columns */
    bool scalars;      /* directive "-- scalars" */
    bool group;        /* directive "-- group" */
    bool facts;        /* directive "-- facts" */
    struct rows_block {
        char *label;
        size_t first; /* the first row of the block */
    } * block;        /* [blocks] */
    size_t blocks;    /* 0: the rows are one list */
};

/* Runs a statement and keeps its rows in *rows, which was zeroed. Returns 0, or -1 after an error of SQLite. */
int rows_read(sqlite3_stmt *statement, struct rows *rows);

/* Replaces *rows by its pivot. The pivot has one row for each combination of the other columns, and one column for each
 * key. Without rows, or without the two columns that the directive names, nothing changes. */
void rows_pivot(struct rows *rows);

/* Moves the rows of `more` to the end of *rows, as a block with a label. A column that one side lacks is NULL there.
 * Columns that are named after a size, "512" or "N = 512", stay in the order of the sizes, after all others. */
void rows_append(struct rows *rows, struct rows *more, const char *label);

/* Leaves out each column that has no value in any row, unless there are no rows. */
void rows_drop_empty(struct rows *rows);

/* The text of one value; NULL: SQL NULL. */
const char *rows_value(const struct rows *rows, size_t row, size_t column);

/* The index of a column; rows->columns if no column has that name. */
size_t rows_column(const struct rows *rows, const char *name);

/* Whether a text begins as a number. */
bool rows_is_number(const char *text);

/* Whether a table aligns the column to the right, as it holds numbers only. */
bool rows_right_aligned(const struct rows *rows, size_t column);

/* Whether a row has the value of the row before it in a column. */
bool rows_repeats(const struct rows *rows, size_t row, size_t column);

/* Whether a column has no value in the whole block of a row. */
bool rows_block_lacks(const struct rows *rows, size_t row, size_t column);

/* Frees and zeroes. */
void rows_free(struct rows *rows);

#endif
