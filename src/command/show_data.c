/* The rows of an experiment's results for other programs.
 * SPDX-License-Identifier: MIT */
#include "show_data.h"

#include "cell.h"
#include "base/csv.h"
#include "base/sink.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Writes the columns that some row fills to `filled`. Returns their number. */
static size_t find_filled(const struct show_rows *rows, size_t filled[RESULT_COLUMNS])
{
    size_t count = 0;
    for (size_t c = 0; c < RESULT_COLUMNS; c++)
        for (size_t r = 0; r < rows->count; r++)
            if (*show_rows_field(rows, r, c)) {
                filled[count++] = c;
                break;
            }
    return count;
}

static void put(struct sink *sink, const char *text, bool last)
{
    csv_put(sink, text, strlen(text), last ? '\n' : ',');
}

static void put_rows(struct sink *sink, const void *context)
{
    const struct show_rows *rows = context;
    size_t filled[RESULT_COLUMNS];
    const size_t columns = find_filled(rows, filled);
    for (size_t c = 0; c < columns; c++)
        put(sink, columns_result[filled[c]].name, c + 1 == columns);
    for (size_t r = 0; r < rows->count; r++)
        for (size_t c = 0; c < columns; c++)
            put(sink, show_rows_field(rows, r, filled[c]), c + 1 == columns);
}

void show_data_csv(const struct show_rows *rows)
{
    struct sink sink = {.kind = SINK_STREAM, .stream = stdout};
    sink_fill(&sink, put_rows, rows);
}

static bool is_number(const struct column *column)
{
    switch (column->kind) {
    case COLUMN_AXIS:
        return cell_axes[column->size].kind != NAME;
    case COLUMN_COUNT:
    case COLUMN_INTEGER:
    case COLUMN_TRISTATE:
    case COLUMN_REAL:
        return true;
    default:
        return false;
    }
}

/* JSON has no infinity, which is a text there. */
static json_t *value_of(const struct column *column, const char *text)
{
    if (!is_number(column))
        return json_string(text);
    char *end;
    const long long integer = strtoll(text, &end, 10);
    if (*end == '\0')
        return json_integer(integer);
    const double real = strtod(text, NULL);
    return isfinite(real) ? json_real(real) : json_string(text);
}

void show_data_json(const struct show_rows *rows)
{
    json_t *list = json_array();
    for (size_t r = 0; r < rows->count; r++) {
        json_t *map = json_object();
        for (size_t c = 0; c < RESULT_COLUMNS; c++)
            if (*show_rows_field(rows, r, c))
                json_object_set_new(map, columns_result[c].name,
                                    value_of(&columns_result[c], show_rows_field(rows, r, c)));
        json_array_append_new(list, map);
    }
    json_dumpf(list, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(list);
}
