/* A line of the journal as rows of CSV.
 * SPDX-License-Identifier: MIT */
#include "journal_line_parts.h"
#include "base/csv.h"
#include "base/memory.h"
#include "base/number.h"

#include <stdlib.h>
#include <string.h>

void journal_line_put_header(struct sink *sink, const struct column *columns, size_t count, bool by_generation)
{
    for (size_t c = 0; c < count; c++) {
        csv_put(sink, columns[c].name, strlen(columns[c].name), c + 1 < count ? ',' : '\n');
        if (c == 0 && by_generation) {
            const char *name = columns_result[RESULT_AT_generation].name;
            csv_put(sink, name, strlen(name), ',');
        }
    }
}

/* A field of the journal as a field of CSV. */
static void put_field(struct sink *sink, struct slice field, char end)
{
    if (!memchr(field.text, '\\', field.length)) {
        csv_put(sink, field.text, field.length, end);
        return;
    }
    char *text = memory_allocate(field.length + 1, 1);
    csv_put(sink, text, journal_line_unescape(field, text), end);
    free(text);
}

void journal_line_put_result(struct sink *sink, const struct journal_layout *layout, const char *body, size_t length,
                             const char *experiment)
{
    struct slice field[FIELDS_MAX];
    if (!journal_line_fields(layout, body, length, field))
        return;
    for (size_t c = 0; c < RESULT_COLUMNS; c++) {
        const char end = c + 1 < RESULT_COLUMNS ? ',' : '\n';
        if (columns_result[c].kind == COLUMN_EXPERIMENT)
            csv_put(sink, experiment, strlen(experiment), end);
        else if (layout->field[c] >= 0)
            put_field(sink, field[layout->field[c]], end);
        else
            sink_byte(sink, end);
    }
}

static void put_sample(struct sink *sink, const struct journal_layout *layout, struct slice sample)
{
    struct slice field[FIELDS_MAX];
    if (layout->samples_as_rows) {
        sink_put(sink, sample.text, sample.length);
        return;
    }
    const size_t count = journal_line_split(sample.text, sample.length, ',', field, FIELDS_MAX);
    for (size_t c = 1; c < SAMPLE_COLUMNS; c++) {
        if (layout->sample[c] >= 0 && (size_t)layout->sample[c] < count)
            sink_put(sink, field[layout->sample[c]].text, field[layout->sample[c]].length);
        if (c + 1 < SAMPLE_COLUMNS)
            sink_byte(sink, ',');
    }
}

/* Puts what tells the result that a row of samples or residuals belongs to. */
static void put_owner(struct sink *sink, const struct journal_layout *layout, const struct slice *field,
                      bool by_generation)
{
    const struct slice id = field[layout->field[RESULT_AT_cell]];
    const short generation = layout->field[RESULT_AT_generation];
    sink_put(sink, id.text, id.length);
    sink_byte(sink, ',');
    if (by_generation && generation >= 0)
        put_field(sink, field[generation], ',');
    else if (by_generation)
        sink_byte(sink, ',');
}

void journal_line_put_samples(struct sink *sink, const struct journal_layout *layout, const char *body, size_t length,
                              bool by_generation)
{
    struct slice field[FIELDS_MAX];
    if (!journal_line_fields(layout, body, length, field))
        return;
    const struct slice samples = field[layout->samples];
    const char *end = samples.text + samples.length;
    for (const char *from = samples.text; from < end;) {
        const char *stop = memchr(from, ';', (size_t)(end - from));
        stop = stop ? stop : end;
        put_owner(sink, layout, field, by_generation);
        put_sample(sink, layout, (struct slice){from, (size_t)(stop - from)});
        sink_byte(sink, '\n');
        from = stop + 1;
    }
}

bool journal_line_has_samples(const struct journal_layout *layout, const char *body, size_t length)
{
    struct slice field[FIELDS_MAX];
    return journal_line_fields(layout, body, length, field) && field[layout->samples].length > 0;
}

bool journal_line_has_history(const struct journal_layout *layout, const char *body, size_t length)
{
    struct slice field[FIELDS_MAX];
    return layout->history >= 0 && journal_line_fields(layout, body, length, field) &&
           field[layout->history].length > 0;
}

void journal_line_put_history(struct sink *sink, const struct journal_layout *layout, const char *body, size_t length,
                              bool by_generation)
{
    struct slice field[FIELDS_MAX];
    if (layout->history < 0 || !journal_line_fields(layout, body, length, field))
        return;
    const struct slice history = field[layout->history];
    const char *end = history.text + history.length;
    const char *from = memchr(history.text, ';', history.length);
    int64_t every, sweep = 0;
    if (!number_read_count(history.text, (size_t)((from ? from : end) - history.text), &every))
        return;
    for (bool fits = true; from && fits; fits = !__builtin_add_overflow(sweep, every, &sweep)) {
        const char *value = from + 1;
        char number[24];
        from = memchr(value, ';', (size_t)(end - value));
        put_owner(sink, layout, field, by_generation);
        sink_put(sink, number, (size_t)snprintf(number, sizeof number, "%lld,", (long long)sweep));
        sink_put(sink, value, (size_t)((from ? from : end) - value));
        sink_byte(sink, '\n');
    }
}
