/* Counts of the GPU's hardware counters: reads the log of Nsight Compute, and the file of an experiment's counts.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COUNTERS_COUNTERS_H
#define TILELAB_COUNTERS_COUNTERS_H

#include "variant.h"

enum {
#define COUNTER(column, ...) COUNTER_##column,
#include "counters.def"
#undef COUNTER
    COUNTERS
};

struct counter {
    const char *column, *metric, *unit, *meaning;
};
extern const struct counter counters[COUNTERS];

/* Marks in the log. Before the launch of cell i the GPU runs an empty kernel of MARK_FIRST + i blocks, after the launch
 * one of MARK_END blocks. */
enum { MARK_END = 1, MARK_FIRST = 2 };
#define MARK_NAME "tilelab_marker"

/* What was counted of one cell: sums over the kernels between the marks of the cell. */
struct counts {
    int64_t value[COUNTERS]; /* -1: a kernel lacks the count */
    int kernels;
    bool closed; /* the log has both marks */
};

/* Reads a log of `ncu --csv --page raw --print-units base` into counts[cells]. Kernels outside of marks are not
 * counted. A torn line and all lines behind it are left out. A cell whose mark is missing from the log has no
 * kernels. */
void counters_read_log(FILE *log, struct counts *counts, size_t cells);

/* --- <experiment>.counters.csv --- */

/* The columns of a row; the counters follow. */
enum counters_column {
    COUNTED_EXPERIMENT,
    COUNTED_CELL,
    COUNTED_VARIANT,
    COUNTED_DEVICE,
    COUNTED_FIRST_AXIS,
    COUNTED_SOURCE_HASH = COUNTED_FIRST_AXIS + AXES,
    COUNTED_NCU,
    COUNTED_STATUS,
    COUNTED_REASON,
    COUNTED_VALUES,
    COUNTED_COLUMNS = COUNTED_VALUES + COUNTERS
};

/* The name of a column of the file. */
const char *counters_column_name(int column);

/* The row of one cell, as the texts of its fields; NULL: empty. */
struct counters_row {
    char *field[COUNTED_COLUMNS];
};
struct counters_table {
    struct counters_row *row;
    size_t count;
};

/* Reads the file of an experiment. Without a file the table is empty. A column that the file lacks is empty. Returns
 * false with one line in `why` if the file cannot be read or is no table of counts. */
bool counters_load(const char *folder, const char *experiment, struct counters_table *table, char *why, size_t size);
/* Writes the file of an experiment where its bytes change. Returns non-zero with errno set on failure. */
int counters_save(const char *folder, const char *experiment, const struct counters_table *table, bool *changed);
/* Whether a row has counts: its status is ok. */
bool counters_row_ok(const struct counters_row *row);
void counters_free(struct counters_table *table);

/* Prints the dictionary of the columns as a Markdown table. */
void counters_describe(FILE *out);

#endif
