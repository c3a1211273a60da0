/* Counts of the GPU's hardware counters: what Nsight Compute's log says of each cell, and the file of an experiment's
 * counts.
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

/* Before the launch of cell i, the GPU runs an empty kernel of MARK_FIRST + i blocks, and after it one of MARK_END. */
enum { MARK_END = 1, MARK_FIRST = 2 };
#define MARK_NAME "tilelab_marker"

/* What was counted of one cell: sums over the kernels between its marks. */
struct counts {
    int64_t value[COUNTERS]; /* -1: not told of each of them */
    int kernels;
    bool closed; /* both marks were seen */
};

/* Reads a log of `ncu --csv --page raw --print-units base` into counts[cells]. Kernels outside marks count nowhere, a
 * torn line and all that follows it are left out. Cells that it does not name become those of no kernel. */
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

/* One cell, as the texts of its fields; NULL: empty. */
struct counters_row {
    char *field[COUNTED_COLUMNS];
};
struct counters_table {
    struct counters_row *row;
    size_t count;
};

/* Reads the file of an experiment; without one the table is empty. A column that the file lacks is empty. False with
 * one line in `why` where it is no such file. */
bool counters_load(const char *folder, const char *experiment, struct counters_table *table, char *why, size_t size);
/* Writes it, where bytes change. Non-zero with errno set on failure. */
int counters_save(const char *folder, const char *experiment, const struct counters_table *table, bool *changed);
/* A row was counted: its status is ok. */
bool counters_row_ok(const struct counters_row *row);
void counters_free(struct counters_table *table);

/* The dictionary of the columns as Markdown, for data/README.md. */
void counters_describe(FILE *out);

#endif
