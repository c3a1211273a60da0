/* A finished cell as the body of a journal line, and that line as rows of CSV.
 * SPDX-License-Identifier: MIT
 *
 * The fields of a line are the texts of the CSV columns, so an export copies texts and converts no number. A line names
 * its layout by a checksum over the column names; a special line tells these names. So a journal outlives a change of
 * the columns: the reader finds fields by the names of their columns. A column that a line lacks is empty in its
 * row. */
#ifndef TILELAB_RESULTS_JOURNAL_LINE_H
#define TILELAB_RESULTS_JOURNAL_LINE_H

#include "columns.h"
#include "base/sink.h"

/* Where the fields of a line are. */
struct journal_layout {
    uint32_t tag;
    short field[RESULT_COLUMNS];  /* the field of a line that holds a column; -1: none */
    short sample[SAMPLE_COLUMNS]; /* the field of a sample that holds a column; -1: none */
    short last_key;               /* no field behind this one holds a column of struct journal_key */
    short samples;                /* the field of the samples, after all columns */
    short history;                /* the field of the residuals, after the samples; -1: none */
    bool samples_as_rows;         /* a sample is a row of today's samples.csv without the cell */
};

/* A part of a line. */
struct slice {
    const char *text;
    size_t length;
};

/* What decides which results count. A column that the line lacks is empty. */
struct journal_key {
    struct slice id, status, flags, rounds, samples, measure, generation, mark, provenance[PROVENANCES];
};

/* Sets *layout to today's layout. Returns the body of the line that tells it, which the caller frees; NULL without
 * memory. */
char *journal_line_layout(struct journal_layout *layout, size_t *length);
/* Reads the body of a line that tells a layout. False if the line tells none. */
bool journal_line_layout_read(struct journal_layout *layout, const char *body, size_t length);
/* The tag of the layout that the body of a result names. False if the body names none. */
bool journal_line_tag(const char *body, size_t length, uint32_t *tag);

/* The body of a result's line in today's layout, which the caller frees; NULL without memory. */
char *journal_line_print(const struct journal_layout *layout, const struct result *result, size_t *length);
/* The same from texts: of each column of results.csv, of the samples ("round,launch,...;round,launch,...") and of the
 * history ("every;residual;residual..."). NULL is an empty text. */
char *journal_line_compose(const struct journal_layout *layout, const char *const text[RESULT_COLUMNS],
                           const char *samples, const char *history, size_t *length);
/* Reads the columns of some kinds, BIT(COLUMN_ID) | ..., from a body into a result. Samples are not read. False if a
 * text has no meaning. */
bool journal_line_read(const struct journal_layout *layout, const char *body, size_t length, unsigned kinds,
                       struct result *result);
/* Finds the key of a line. False if the line tells no cell. */
bool journal_line_key(const struct journal_layout *layout, const char *body, size_t length, struct journal_key *key);
/* Reads the samples and the history of a body into a result that has none. False if a text has no meaning, or without
 * memory. */
bool journal_line_read_samples(const struct journal_layout *layout, const char *body, size_t length,
                               struct result *result);

/* Put rows of CSV: a header; the row of a result; the rows of its samples; the rows of its residuals. With
 * `by_generation`, the column `generation` follows the cell in each row of samples and residuals. */
void journal_line_put_header(struct sink *sink, const struct column *columns, size_t count, bool by_generation);
void journal_line_put_result(struct sink *sink, const struct journal_layout *layout, const char *body, size_t length,
                             const char *experiment);
void journal_line_put_samples(struct sink *sink, const struct journal_layout *layout, const char *body, size_t length,
                              bool by_generation);
bool journal_line_has_samples(const struct journal_layout *layout, const char *body, size_t length);
bool journal_line_has_history(const struct journal_layout *layout, const char *body, size_t length);
void journal_line_put_history(struct sink *sink, const struct journal_layout *layout, const char *body, size_t length,
                              bool by_generation);

#endif
