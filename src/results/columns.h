/* The one table of CSV columns: headers, reading and writing of rows, and data/README.md.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_RESULTS_COLUMNS_H
#define TILELAB_RESULTS_COLUMNS_H

#include "store.h"

enum column_kind {
    COLUMN_EXPERIMENT, /* of the whole file, not of a row */
    COLUMN_PROBLEM,    /* these three follow from the cell's entry in the registry */
    COLUMN_VARIANT,
    COLUMN_BACKEND,
    COLUMN_ID,
    COLUMN_HASH,
    COLUMN_TEXT,
    COLUMN_AXIS,
    COLUMN_STATUS,
    COLUMN_FLAGS,
    COLUMN_COUNT,    /* int; 0 is an empty field */
    COLUMN_INTEGER,  /* int; never empty */
    COLUMN_TRISTATE, /* int; -1 is an empty field */
    COLUMN_REAL      /* double; NAN is an empty field */
};

struct column {
    const char *name;
    enum column_kind kind;
    size_t offset; /* in struct result or struct sample */
    size_t size;   /* of a text with its NUL; the number of an axis */
    const char *unit, *meaning;
};

enum { RESULT_COLUMNS = 39 + AXES, SAMPLE_COLUMNS = 13, HISTORY_COLUMNS = 3 };
extern const struct column result_columns[RESULT_COLUMNS];
/* Without the leading `cell` they are also the fields of a sample in a journal. */
extern const struct column sample_columns[SAMPLE_COLUMNS];
/* For headers and the dictionary; its rows are made by line_put_history. */
extern const struct column history_columns[HISTORY_COLUMNS];

/* Longest text of a column, with its NUL. */
enum { COLUMN_TEXT_SIZE = 256 };

/* The unescaped text of a column of a struct result or struct sample; returns its length. */
size_t column_print(const struct column *column, const void *row, char text[COLUMN_TEXT_SIZE]);
/* Sets a column from its text; what follows from another column is passed over. False if the text
 * means nothing. */
bool column_read(const struct column *column, void *row, const char *text, size_t length);

#endif
