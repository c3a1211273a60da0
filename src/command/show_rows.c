/* The rows of an experiment's results, as texts by column, and what the tables of `tilelab show` print of them.
 * SPDX-License-Identifier: MIT */
#include "show_rows.h"

#include "registry.h"
#include "base/csv.h"
#include "base/escape.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/raised.h"
#include "base/suggest.h"
#include "plan/study_file.h"
#include "results/store.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The number of a column, or RESULT_COLUMNS where there is no such column. */
static size_t column_of(const char *name)
{
    size_t c = 0;
    while (c < RESULT_COLUMNS && strcmp(columns_result[c].name, name) != 0)
        c++;
    return c;
}

/* Replaces the count of operations and the rate of a row of an older program. */
static void recount(char **field)
{
    static const size_t columns[] = {RESULT_AT_flops, RESULT_AT_gflops, RESULT_AT_AXIS_n, RESULT_AT_AXIS_k};
    struct result result = {0};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        const char *text = field[columns[i]] ? field[columns[i]] : "";
        if (!columns_read(&columns_result[columns[i]], &result, text, strlen(text)))
            return;
    }
    if (result.cell.k == 0)
        result.cell.k = result.cell.n;
    const double told = result.flops;
    result_recount(&result, field[RESULT_AT_problem] ? registry_problem(field[RESULT_AT_problem]) : NULL);
    for (size_t i = 0; i < 2 && result.flops < told; i++) {
        char text[COLUMN_TEXT_SIZE];
        columns_print(&columns_result[columns[i]], &result, text);
        free(field[columns[i]]);
        field[columns[i]] = memory_copy(text);
    }
}

/* Reads the header, which says which of columns_result each field of a row is, and the rows. Warns of a file whose end
 * cannot be read. */
static void read_rows(struct csv *csv, struct show_rows *rows)
{
    size_t columns[4 * RESULT_COLUMNS], count = 0;
    int got = csv_read(csv);
    for (; count < csv->fields && count < sizeof columns / sizeof *columns; count++)
        columns[count] = column_of(csv->field[count] ? csv->field[count] : "");
    while (got > 0 && (got = csv_read(csv)) > 0) {
        if (rows->count == rows->room) {
            rows->room = rows->room ? 2 * rows->room : 64;
            rows->field = memory_grow(rows->field, rows->room, RESULT_COLUMNS * sizeof *rows->field);
        }
        char **field = &rows->field[rows->count++ * RESULT_COLUMNS];
        memset(field, 0, RESULT_COLUMNS * sizeof *field);
        for (size_t i = 0; i < csv->fields && i < count; i++)
            if (csv->field[i] && columns[i] < RESULT_COLUMNS && !field[columns[i]])
                field[columns[i]] = memory_copy(csv->field[i]);
        recount(field);
    }
    if (got < 0)
        escape_tell("%s:%d: warning: left out the rest of the file: a quoted field is not closed", csv->path,
                    csv->line);
}

/* The cells of the journal as the text of a results.csv, or NULL where there are none. The caller frees the text. */
static char *journal_text(const char *folder, const char *experiment, size_t *size)
{
    char *text = NULL, why[512];
    struct store *store = store_open(folder, experiment, true, why, sizeof why);
    FILE *out = store ? open_memstream(&text, size) : NULL;
    const size_t cells = out ? store_print(store, out) : 0;
    if (out)
        fclose(out);
    store_close(store);
    if (cells > 0)
        return text;
    free(text);
    return NULL;
}

/* Appends the rows of FOLDER/EXPERIMENT.SUFFIX. False with errno set if the file cannot be opened. */
static bool read_file(const char *folder, const char *experiment, const char *suffix, struct show_rows *rows)
{
    struct csv csv;
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.%s", folder, experiment, suffix);
    if (!csv_open(&csv, path))
        return false;
    read_rows(&csv, rows);
    csv_close(&csv);
    return true;
}

bool show_rows_read_file(const char *folder, const char *experiment, struct show_rows *rows)
{
    return read_file(folder, experiment, "results.csv", rows);
}

void show_rows_read_archive(const char *folder, const char *experiment, struct show_rows *rows)
{
    read_file(folder, experiment, "archive.csv", rows);
}

static void swap_rows(struct show_rows *rows, size_t a, size_t b)
{
    for (size_t c = 0; c < RESULT_COLUMNS; c++) {
        char *field = rows->field[a * RESULT_COLUMNS + c];
        rows->field[a * RESULT_COLUMNS + c] = rows->field[b * RESULT_COLUMNS + c];
        rows->field[b * RESULT_COLUMNS + c] = field;
    }
}

void show_rows_add_outside(const char *folder, const char *experiment, struct show_rows *rows)
{
    const size_t shown = rows->count;
    size_t kept = shown;
    show_rows_read_archive(folder, experiment, rows);
    for (size_t r = shown; r < rows->count; r++) {
        size_t same = 0;
        while (same < kept &&
               strcmp(show_rows_field(rows, same, RESULT_AT_cell), show_rows_field(rows, r, RESULT_AT_cell)) != 0)
            same++;
        if (same == kept)
            swap_rows(rows, kept++, r);
        else if (same >= shown && show_rows_generation(rows, r) > show_rows_generation(rows, same))
            swap_rows(rows, same, r);
    }
    for (size_t i = kept * RESULT_COLUMNS; i < rows->count * RESULT_COLUMNS; i++)
        free(rows->field[i]);
    rows->count = kept;
}

bool show_rows_find(const char *folder, const char *experiment, struct show_rows *rows)
{
    if (show_rows_read_file(folder, experiment, rows))
        return true;
    const int error = errno;
    size_t size;
    char *text = error == ENOENT ? journal_text(folder, experiment, &size) : NULL;
    FILE *file = text ? fmemopen(text, size, "r") : NULL;
    if (file) {
        struct csv csv;
        csv_start(&csv, file, experiment);
        read_rows(&csv, rows);
        csv_close(&csv);
    }
    free(text);
    errno = error;
    return file != NULL;
}

bool show_rows_read(const char *folder, const char *experiment, struct show_rows *rows)
{
    if (show_rows_find(folder, experiment, rows))
        return true;
    const int error = errno;
    char *near = study_file_near_results(folder, experiment);
    escape_tell("tilelab show: %s/%s.results.csv: %s%s", folder, experiment, strerror(error),
                error != ENOENT ? ""
                : near          ? suggest_words(near)
                                : SHOW_ROWS_REMEDY);
    free(near);
    return false;
}

void show_rows_free(struct show_rows *rows)
{
    for (size_t i = 0; i < rows->count * RESULT_COLUMNS; i++)
        free(rows->field[i]);
    free(rows->field);
}

double show_rows_number(const struct show_rows *rows, size_t row, size_t column)
{
    const char *text = show_rows_field(rows, row, column);
    double value;
    return number_read(text, strlen(text), &value) ? value : NAN;
}

bool show_rows_has_status(const struct show_rows *rows, size_t row, enum status status)
{
    return strcmp(show_rows_field(rows, row, RESULT_AT_status), status_names[status]) == 0;
}

bool show_rows_has_flag(const struct show_rows *rows, size_t row, enum flag flag)
{
    struct result result = {.flags = 0};
    const char *text = show_rows_field(rows, row, RESULT_AT_flags);
    return columns_read(&columns_result[RESULT_AT_flags], &result, text, strlen(text)) && result.flags & flag;
}

int show_rows_generation(const struct show_rows *rows, size_t row)
{
    const double number = show_rows_number(rows, row, RESULT_AT_generation);
    return number >= 1 && number < 1e9 ? (int)number : 1;
}

enum show_source show_rows_source(const struct show_rows *rows, size_t row)
{
    const struct entry *entry = registry_find(show_rows_field(rows, row, RESULT_AT_variant));
    const char *hash = show_rows_field(rows, row, RESULT_AT_source_hash);
    if (!entry || !*hash)
        return SOURCE_UNKNOWN;
    return strncmp(entry->source_hash, hash, 16) == 0 ? SOURCE_CURRENT : SOURCE_CHANGED;
}

int show_rows_decimals(double value)
{
    const double size = fabs(value);
    return size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : size >= 1 ? 3 : 4;
}

void show_rows_print_time(const struct show_rows *rows, size_t row, char time[SHOW_TEXT_SIZE],
                          char interval[SHOW_TEXT_SIZE])
{
    static const struct {
        double scale;
        const char *unit;
    } units[] = {{1, "s"}, {1e3, "ms"}, {1e6, "us"}, {1e9, "ns"}};
    const double median = show_rows_number(rows, row, RESULT_AT_median_s),
                 low = show_rows_number(rows, row, RESULT_AT_ci_lo_s),
                 high = show_rows_number(rows, row, RESULT_AT_ci_hi_s);
    time[0] = interval[0] = '\0';
    if (isnan(median))
        return;
    size_t u = 0;
    while (u < 3 && fabs(median) * units[u].scale < 1)
        u++;
    const double scale = units[u].scale;
    const int digits = show_rows_decimals(median * scale);
    int length = snprintf(time, SHOW_TEXT_SIZE, "%.*f %-2s", digits, median * scale, units[u].unit);
    for (int bit = 0; bit < RESULT_FLAGS; bit++)
        if (show_rows_has_flag(rows, row, (enum flag)BIT(bit)))
            length += snprintf(time + length, SHOW_TEXT_SIZE - (size_t)length, "%s", raised(*result_flags[bit].letter));
    if (!isnan(low) && !isnan(high))
        snprintf(interval, SHOW_TEXT_SIZE, "%.*f .. %.*f", digits, low * scale, digits, high * scale);
}

void show_rows_print_flags(const struct show_rows *rows)
{
    for (int bit = 0; bit < RESULT_FLAGS; bit++)
        for (size_t r = 0; r < rows->count; r++)
            if (show_rows_has_status(rows, r, STATUS_OK) && show_rows_has_flag(rows, r, (enum flag)BIT(bit))) {
                printf("%s %s: %s\n", raised(*result_flags[bit].letter), result_flags[bit].name,
                       result_flags[bit].meaning);
                break;
            }
}

/* The values of a column: none, the same value in all rows that have a value, or several values. */
enum spread { ABSENT, CONSTANT, VARIED };

static enum spread spread_of(const struct show_rows *rows, size_t column, const char **value)
{
    *value = "";
    for (size_t r = 0; r < rows->count; r++) {
        const char *text = show_rows_field(rows, r, column);
        if (!*text)
            continue;
        if (**value && strcmp(*value, text) != 0)
            return VARIED;
        *value = text;
    }
    return **value ? CONSTANT : ABSENT;
}

static bool equals_n(const struct show_rows *rows, size_t column)
{
    for (size_t r = 0; r < rows->count; r++)
        if (*show_rows_field(rows, r, column) &&
            strcmp(show_rows_field(rows, r, column), show_rows_field(rows, r, RESULT_AT_AXIS_n)) != 0)
            return false;
    return true;
}

char *show_rows_axes(const struct show_rows *rows, size_t axes[AXES], size_t *count)
{
    static const unsigned always = HONOURS(n) | HONOURS(tile) | HONOURS(threads);
    char *shared = memory_copy("");
    *count = 0;
    for (size_t c = 0; c < RESULT_COLUMNS; c++) {
        const char *value;
        if (columns_result[c].kind != COLUMN_AXIS)
            continue;
        const unsigned axis = BIT(columns_result[c].size);
        const enum spread spread = spread_of(rows, c, &value);
        if (spread == ABSENT || (axis & (HONOURS(m) | HONOURS(k)) && equals_n(rows, c)))
            continue;
        if (spread == VARIED || axis & always) {
            axes[(*count)++] = c;
        } else {
            char *shown = escape_terminal(value);
            memory_append(&shared, "%s%s %s", *shared ? "  " : "", columns_result[c].name, shown);
            free(shown);
        }
    }
    return shared;
}
