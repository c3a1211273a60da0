/* `tilelab show --generations`: the results of one cell before and after a change.
 * SPDX-License-Identifier: MIT */
#include "show_generations.h"

#include "table.h"
#include "base/comparison.h"
#include "base/escape.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One result: its row, the first row of its cell, and its generation. */
struct entry_of_cell {
    const char *id;
    size_t row, cell;
    int generation;
};

static int by_id(const void *left, const void *right)
{
    const struct entry_of_cell *a = left, *b = right;
    const int order = strcmp(a->id, b->id);
    return order ? order : a->row < b->row ? -1 : a->row > b->row;
}

static int by_cell(const void *left, const void *right)
{
    const struct entry_of_cell *a = left, *b = right;
    if (a->cell != b->cell)
        return a->cell < b->cell ? -1 : 1;
    if (a->generation != b->generation)
        return a->generation < b->generation ? -1 : 1;
    return a->row < b->row ? -1 : a->row > b->row;
}

/* Lists the results that are not skipped, by cell and generation. The cells keep the order of their first rows. */
static struct entry_of_cell *list_results(const struct show_rows *rows, size_t *count)
{
    struct entry_of_cell *list = memory_allocate(rows->count, sizeof *list);
    *count = 0;
    for (size_t r = 0; r < rows->count; r++)
        if (!show_rows_has_status(rows, r, STATUS_SKIPPED))
            list[(*count)++] =
                (struct entry_of_cell){show_rows_field(rows, r, RESULT_AT_cell), r, r, show_rows_generation(rows, r)};
    qsort(list, *count, sizeof *list, by_id);
    for (size_t i = 1; i < *count; i++)
        if (strcmp(list[i].id, list[i - 1].id) == 0)
            list[i].cell = list[i - 1].cell;
    qsort(list, *count, sizeof *list, by_cell);
    return list;
}

/* What differs between two results of a cell, joined by +. */
static void print_changes(const struct show_rows *rows, size_t before, size_t after, char text[SHOW_TEXT_SIZE])
{
    static const size_t hashes[] = {RESULT_AT_source_hash, RESULT_AT_library_hash, RESULT_AT_machine_hash};
    size_t used = 0;
    text[0] = '\0';
    for (int part = BY_SOURCE; part <= BY_MACHINE; part++)
        if (strcmp(show_rows_field(rows, before, hashes[part]), show_rows_field(rows, after, hashes[part])) != 0)
            used += (size_t)snprintf(text + used, SHOW_TEXT_SIZE - used, "%s%s", used ? "+" : "",
                                     result_provenance_names[part]);
    if (show_rows_has_flag(rows, before, FLAG_PRETENDED) != show_rows_has_flag(rows, after, FLAG_PRETENDED))
        snprintf(text + used, SHOW_TEXT_SIZE - used, "%sclock", used ? "+" : "");
}

/* Adds the ratio of two times, its interval, and what the interval allows to say. A ratio under 1 is faster. Times of
 * two clocks have no ratio. */
static void add_ratio(const struct show_rows *rows, size_t before, size_t after, struct table *table)
{
    const double ratio = show_rows_number(rows, after, RESULT_AT_median_s) /
                         show_rows_number(rows, before, RESULT_AT_median_s),
                 low = show_rows_number(rows, after, RESULT_AT_ci_lo_s) /
                       show_rows_number(rows, before, RESULT_AT_ci_hi_s),
                 high = show_rows_number(rows, after, RESULT_AT_ci_hi_s) /
                        show_rows_number(rows, before, RESULT_AT_ci_lo_s);
    const bool one_clock =
        show_rows_has_flag(rows, before, FLAG_PRETENDED) == show_rows_has_flag(rows, after, FLAG_PRETENDED);
    if (isnan(ratio) || !one_clock) {
        for (int i = 0; i < 3; i++)
            table_text(table, "");
        return;
    }
    const enum comparison comparison = comparison_of(1 / ratio, 1 / high, 1 / low);
    table_print(table, "%.3f", ratio);
    if (comparison == COMPARISON_SINGLE)
        table_text(table, "");
    else
        table_print(table, "%.3f .. %.3f", low, high);
    table_text(table, comparison == COMPARISON_SINGLE ? "no interval" : comparison_names[comparison]);
}

static void add_result(const struct show_rows *rows, const struct entry_of_cell *result,
                       const struct entry_of_cell *before, bool shown, struct table *table)
{
    char time[SHOW_TEXT_SIZE], interval[SHOW_TEXT_SIZE], changes[SHOW_TEXT_SIZE] = "";
    const bool ok = show_rows_has_status(rows, result->row, STATUS_OK);
    show_rows_print_time(rows, result->row, time, interval);
    table_print(table, "%d", result->generation);
    table_text(table, show_rows_field(rows, result->row, RESULT_AT_profile));
    if (before)
        print_changes(rows, before->row, result->row, changes);
    table_text(table, changes);
    table_text(table, ok ? time : show_rows_field(rows, result->row, RESULT_AT_status));
    table_text(table, interval);
    if (before) {
        add_ratio(rows, before->row, result->row, table);
    } else {
        for (int i = 0; i < 3; i++)
            table_text(table, "");
    }
    table_text(table, shown ? "shown" : "archived");
}

static void begin_table(struct table *table, const size_t *axis, size_t axes)
{
    table_column(table, "variant", true, false);
    for (size_t a = 0; a < axes; a++)
        table_column(table, columns_result[axis[a]].name, false, false);
    table_column(table, "generation", false, false);
    table_column(table, "profile", true, true);
    table_column(table, "changed", true, true);
    table_column(table, "time", false, false);
    table_column(table, "interval", false, true);
    table_column(table, "time / before", false, true);
    table_column(table, "its interval", false, true);
    table_column(table, "verdict", true, true);
    table_column(table, "kept as", true, false);
}

void show_generations(const char *folder, const char *experiment, struct show_rows *rows)
{
    const size_t shown = rows->count;
    show_rows_read_archive(folder, experiment, rows);
    size_t axis[AXES], axes, cells = 0, count;
    char *constants = show_rows_axes(rows, axis, &axes);

    struct table table = {.columns = 0};
    begin_table(&table, axis, axes);
    struct entry_of_cell *list = list_results(rows, &count);
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && list[end].cell == list[first].cell; end++)
            ;
        if (end - first < 2)
            continue;
        cells++;
        for (size_t i = first; i < end; i++) {
            table_text(&table, show_rows_field(rows, list[i].row, RESULT_AT_variant));
            for (size_t a = 0; a < axes; a++)
                table_text(&table, show_rows_field(rows, list[i].row, axis[a]));
            add_result(rows, &list[i], i > first ? &list[i - 1] : NULL, list[i].row < shown, &table);
        }
    }
    free(list);
    escape_put(stdout, escape_terminal, experiment);
    fputs(" in ", stdout);
    escape_put(stdout, escape_terminal, folder);
    printf(": cells with results of several generations: %zu\n%s%s", cells, constants, *constants ? "\n" : "");
    free(constants);
    if (cells > 0) {
        putchar('\n');
        table_end(&table);
        putchar('\n');
        show_rows_print_flags(rows);
    }
}
