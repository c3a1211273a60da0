/* Counts of the GPU's hardware counters: reads the log of Nsight Compute, and the file of an experiment's counts.
 * SPDX-License-Identifier: MIT */
#include "counters.h"

#include "registry.h"
#include "base/csv.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/rewrite.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct counter counters[COUNTERS] = {
#define COUNTER(column, metric, unit, meaning) {#column, metric, unit, meaning},
#include "counters.def"
#undef COUNTER
};

/* ---- the log ---- */

/* The columns of a table of the log that are read; -1: the table lacks the column. */
struct places {
    int kernel, grid, metric[COUNTERS];
};

static void read_places(const struct csv *csv, struct places *at)
{
    at->kernel = csv_find(csv, "Kernel Name");
    at->grid = csv_find(csv, "Grid Size");
    for (int i = 0; i < COUNTERS; i++)
        at->metric[i] = csv_find(csv, counters[i].metric);
}

/* Forgets the columns whose unit is scaled, as "Kbyte": their numbers are rounded. */
static void judge_units(const struct csv *csv, struct places *at)
{
    for (int i = 0; i < COUNTERS; i++) {
        const char *unit = csv_field(csv, at->metric[i]);
        if (unit && strchr("KMGT", unit[0]))
            at->metric[i] = -1;
    }
}

/* Reads a count such as "1048576", "1,048,576" or "1,048,576.00". Returns -1 for any other text, such as "n/a". */
static int64_t read_value(const char *text)
{
    char digits[NUMBER_SIZE];
    size_t length = 0;
    double value;
    for (; text && *text && *text != ' '; text++) {
        if (*text == ',')
            continue;
        if (length == sizeof digits)
            return -1;
        digits[length++] = *text;
    }
    if (length == 0 || !number_read(digits, length, &value) || !(value >= 0 && value < 0x1p62))
        return -1;
    return llround(value);
}

static void add_kernel(const struct csv *csv, const struct places *at, struct counts *to)
{
    for (int i = 0; i < COUNTERS; i++) {
        const int64_t value = read_value(csv_field(csv, at->metric[i]));
        to->value[i] = to->value[i] < 0 || value < 0 ? -1 : to->value[i] + value;
    }
    to->kernels++;
}

/* The number of the cell that a mark opens, -1 for the mark that ends a cell, -2 for any other kernel. */
static long long mark_of(const struct csv *csv, const struct places *at)
{
    const char *name = csv_field(csv, at->kernel), *grid = csv_field(csv, at->grid);
    long long blocks;
    if (!name || strncmp(name, MARK_NAME, strlen(MARK_NAME)) != 0)
        return -2;
    if (!grid || sscanf(grid, " (%lld", &blocks) != 1 || blocks < MARK_FIRST)
        return -1;
    return blocks - MARK_FIRST;
}

/* A stream of the lines that are records of a table, without the profiler's messages. NULL if there are none. */
static FILE *tables_of(FILE *log, char **text)
{
    size_t size = 0, room = 0;
    char *line = NULL;
    FILE *out = open_memstream(text, &size);
    while (out && getline(&line, &room, log) > 0)
        if (*line == '"')
            fputs(line, out);
    free(line);
    if (!out || fclose(out) != 0 || size == 0)
        return NULL;
    return fmemopen(*text, size, "r");
}

void counters_read_log(FILE *log, struct counts *counts, size_t cells)
{
    memset(counts, 0, cells * sizeof *counts);
    char *text = NULL;
    struct csv csv;
    csv_start(&csv, tables_of(log, &text), "");
    struct places at = {.kernel = -1};
    struct counts *open = NULL;
    size_t columns = 0;
    while (csv.file && csv_read(&csv) > 0) {
        if (csv.field[0] && strcmp(csv.field[0], "ID") == 0) {
            read_places(&csv, &at);
            columns = csv.fields;
            continue;
        }
        if (csv.fields != columns)
            break;
        if (!csv.field[0]) {
            judge_units(&csv, &at);
            continue;
        }
        const long long mark = mark_of(&csv, &at);
        if (mark >= 0) {
            open = (size_t)mark < cells ? &counts[mark] : NULL;
            if (open)
                *open = (struct counts){0};
        } else if (mark == -1) {
            if (open)
                open->closed = true;
            open = NULL;
        } else if (open) {
            add_kernel(&csv, &at, open);
        }
    }
    csv_close(&csv);
    free(text);
}

/* ---- the file ---- */

static const struct described {
    const char *name, *unit, *meaning;
} columns[COUNTED_VALUES] = {
    {"experiment", "", "name of the experiment file"},
    {"cell", "", "identity of the cell, as in results.csv"},
    {"variant", "", "full name of the variant, problem/backend-idea"},
    {"device", "", "name of the GPU; empty where nothing was counted"},
#define AXIS(field, key, kind, role, names, lowest, highest, label, unset, meaning) {key, "", meaning},
#include "axes.def"
#undef AXIS
    {"source_hash", "", "of the source that was counted; results.csv may have a later one"},
    {"ncu", "", "version of Nsight Compute"},
    {"status", "", "ok, skipped (this machine cannot count) or failed; only ok rows have counts"},
    {"reason", "", "why the status is not ok, or which counts are missing"},
};

const char *counters_column_name(int column)
{
    return column < COUNTED_VALUES ? columns[column].name : counters[column - COUNTED_VALUES].column;
}

static void add_row(struct counters_table *table, const struct csv *csv, const int place[COUNTED_COLUMNS])
{
    table->row = memory_grow(table->row, table->count + 1, sizeof *table->row);
    struct counters_row *row = &table->row[table->count++];
    for (int i = 0; i < COUNTED_COLUMNS; i++) {
        const char *text = csv_field(csv, place[i]);
        row->field[i] = text ? memory_copy(text) : NULL;
    }
}

bool counters_load(const char *folder, const char *experiment, struct counters_table *table, char *why, size_t size)
{
    *table = (struct counters_table){0};
    struct csv csv;
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.counters.csv", folder, experiment);
    if (!csv_open(&csv, path)) {
        snprintf(why, size, "%.300s: %s", path, strerror(errno));
        return errno == ENOENT || errno == ENOTDIR;
    }
    int place[COUNTED_COLUMNS], got = csv_read(&csv);
    const size_t width = csv.fields;
    bool sound = got > 0;
    for (int i = 0; sound && i < COUNTED_COLUMNS; i++)
        place[i] = csv_find(&csv, counters_column_name(i));
    sound = sound && place[COUNTED_CELL] >= 0 && place[COUNTED_STATUS] >= 0;
    while (sound && (got = csv_read(&csv)) > 0) {
        sound = csv.fields == width;
        if (sound)
            add_row(table, &csv, place);
    }
    sound = sound && got == 0;
    if (!sound) {
        snprintf(why, size, "%.300s:%d: this file is no table of counts; move it away", csv.path, csv.line);
        counters_free(table);
    }
    csv_close(&csv);
    return sound;
}

static void put_field(struct sink *sink, const char *text, bool last)
{
    csv_put(sink, text ? text : "", text ? strlen(text) : 0, last ? '\n' : ',');
}

static void produce(struct sink *sink, const void *context)
{
    const struct counters_table *table = context;
    for (int i = 0; i < COUNTED_COLUMNS; i++)
        put_field(sink, counters_column_name(i), i + 1 == COUNTED_COLUMNS);
    for (size_t r = 0; r < table->count; r++)
        for (int i = 0; i < COUNTED_COLUMNS; i++)
            put_field(sink, table->row[r].field[i], i + 1 == COUNTED_COLUMNS);
}

int counters_save(const char *folder, const char *experiment, const struct counters_table *table, bool *changed)
{
    char name[160];
    snprintf(name, sizeof name, "%s.counters.csv", experiment);
    return rewrite(folder, name, produce, table, changed);
}

bool counters_row_ok(const struct counters_row *row)
{
    return row->field[COUNTED_STATUS] && strcmp(row->field[COUNTED_STATUS], "ok") == 0;
}

void counters_free(struct counters_table *table)
{
    for (size_t r = 0; r < table->count; r++)
        for (int i = 0; i < COUNTED_COLUMNS; i++)
            free(table->row[r].field[i]);
    free(table->row);
    *table = (struct counters_table){0};
}

void counters_describe(FILE *out)
{
    fputs("| column | unit | meaning |\n|---|---|---|\n", out);
    for (int i = 0; i < COUNTED_VALUES; i++)
        fprintf(out, "| %s | %s | %s |\n", columns[i].name, columns[i].unit, columns[i].meaning);
    for (int i = 0; i < COUNTERS; i++)
        fprintf(out, "| %s | %s | %s: `%s` |\n", counters[i].column, counters[i].unit, counters[i].meaning,
                counters[i].metric);
}
