/* A finished cell as the body of a journal line, and that line as rows of CSV.
 * SPDX-License-Identifier: MIT
 *
 * The fields are the texts of the CSV columns, so an export copies them and converts no number. A
 * line names its layout by a checksum over the column names; a line of its own spells them out. So
 * a journal outlives a change of the columns: fields are found by name, and a column that a line
 * lacks is empty in its row. */
#ifndef TILELAB_RESULTS_JOURNAL_LINE_H
#define TILELAB_RESULTS_JOURNAL_LINE_H

#include "columns.h"
#include "base/sink.h"

struct layout {
    uint32_t tag;
    short field[RESULT_COLUMNS];  /* which field of a line holds a column; -1: none */
    short sample[SAMPLE_COLUMNS]; /* likewise in a sample */
    short id;                     /* the field of the cell's identity */
    short samples;                /* the field of the samples, after all columns */
    short history;                /* the field of the residuals, after them; -1: none */
    bool samples_as_rows;         /* a sample is, but for the cell, a row of today's samples.csv */
};

/* A part of a line. */
struct slice {
    const char *text;
    size_t length;
};

/* Today's layout, and the body of the line that spells it out (to be freed).
 * NULL without memory. */
char *journal_line_layout(struct layout *layout, size_t *length);
/* Reads such a body; false if it is none. */
bool journal_line_layout_read(struct layout *layout, const char *body, size_t length);
/* The layout that the body of a result names; false if it names none. */
bool journal_line_tag(const char *body, size_t length, uint32_t *tag);

/* The body of a result's line in today's layout, to be freed; NULL without memory. */
char *journal_line_print(const struct layout *layout, const struct result *result, size_t *length);
/* The columns of some kinds (BIT(COLUMN_ID) | ...) of a body into a result; samples are not loaded.
 * False if one of them means nothing. */
bool journal_line_read(const struct layout *layout, const char *body, size_t length, unsigned kinds,
                       struct result *result);
/* The identity of the cell; empty if there is none. */
struct slice journal_line_id(const struct layout *layout, const char *body, size_t length);

void journal_line_put_header(struct sink *sink, const struct column *columns, size_t count);
void journal_line_put_result(struct sink *sink, const struct layout *layout, const char *body, size_t length,
                             const char *experiment);
void journal_line_put_samples(struct sink *sink, const struct layout *layout, const char *body, size_t length);
bool journal_line_has_history(const struct layout *layout, const char *body, size_t length);
void journal_line_put_history(struct sink *sink, const struct layout *layout, const char *body, size_t length);

#endif
