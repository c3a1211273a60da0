/* The columns of the CSV files as tables: headers, reading and writing of rows, and data/README.md.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_RESULTS_COLUMNS_H
#define TILELAB_RESULTS_COLUMNS_H

#include "result.h"

#include <stdio.h>

enum column_kind {
    COLUMN_EXPERIMENT, /* the experiment, which is one for the whole file */
    COLUMN_OWNER,      /* the cell that a sample or a residual belongs to */
    COLUMN_PROBLEM,    /* the problem, the variant and the backend follow from the cell's entry in the registry */
    COLUMN_VARIANT,
    COLUMN_BACKEND,
    COLUMN_ID,   /* the cell's identity */
    COLUMN_HASH, /* what a result depends on */
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

enum {
    RESULT_COLUMNS = 0
#define RESULT(...) +1
#define RESULT_AXIS(...) +1
#include "results.def"
    ,
    SAMPLE_COLUMNS = 0
#define SAMPLE(...) +1
#include "results.def"
    ,
    HISTORY_COLUMNS = 0
#define HISTORY(...) +1
#include "results.def"
    ,
    TIMELINE_COLUMNS = 0
#define TIMELINE(...) +1
#include "results.def"
};
/* The places of the columns of results.csv: RESULT_AT_status. */
enum {
#define RESULT(kind, name, ...) RESULT_AT_##name,
#define RESULT_AXIS(field, ...) RESULT_AT_AXIS_##field,
#include "results.def"
};
extern const struct column columns_result[RESULT_COLUMNS];
/* Without the leading `cell`, these are also the fields of a sample in a journal. */
extern const struct column columns_sample[SAMPLE_COLUMNS];
/* Only names, kinds and meanings: journal_line_put_history makes the rows. */
extern const struct column columns_history[HISTORY_COLUMNS];
/* The same: timeline_print_csv makes the rows. */
extern const struct column columns_timeline[TIMELINE_COLUMNS];

/* Longest text of a column, with its NUL. */
enum { COLUMN_TEXT_SIZE = 256 };

/* Writes the text of a column of a struct result or struct sample, without the quotes of CSV. Returns its length. */
size_t columns_print(const struct column *column, const void *row, char text[COLUMN_TEXT_SIZE]);

/* Sets a column of a row from its text. A column that follows from others is passed over. False if the text has no
 * meaning. */
bool columns_read(const struct column *column, void *row, const char *text, size_t length);

/* Prints the dictionary of some columns as a Markdown table. */
void columns_describe(FILE *out, const struct column *columns, size_t count);

#endif
