/* A finished cell as the body of a journal line, and that line as rows of CSV.
 * SPDX-License-Identifier: MIT */
#include "journal_line_parts.h"

#include "registry.h"
#include "base/journal.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum { TAG_DIGITS = 8 };
static const char layout_word[] = "layout\t";

/* The columns of struct journal_key. They come first in a line, as a load reads only these. */
static const struct {
    size_t column, offset;
} keys[] = {
    {RESULT_AT_cell, offsetof(struct journal_key, id)},
    {RESULT_AT_status, offsetof(struct journal_key, status)},
    {RESULT_AT_flags, offsetof(struct journal_key, flags)},
    {RESULT_AT_rounds, offsetof(struct journal_key, rounds)},
    {RESULT_AT_samples, offsetof(struct journal_key, samples)},
    {RESULT_AT_measure, offsetof(struct journal_key, measure)},
    {RESULT_AT_generation, offsetof(struct journal_key, generation)},
    {RESULT_AT_machine_mark, offsetof(struct journal_key, mark)},
    {RESULT_AT_source_hash, offsetof(struct journal_key, provenance[BY_SOURCE])},
    {RESULT_AT_library_hash, offsetof(struct journal_key, provenance[BY_LIBRARY])},
    {RESULT_AT_machine_hash, offsetof(struct journal_key, provenance[BY_MACHINE])},
    {RESULT_AT_settings_hash, offsetof(struct journal_key, provenance[BY_SETTINGS])},
};
enum { KEYS = sizeof keys / sizeof *keys };

/* Most parts are empty or a few bytes long, so a loop is faster here than memchr. */
size_t journal_line_split(const char *text, size_t length, char by, struct slice *to, size_t most)
{
    size_t count = 0;
    const char *from = text, *end = text + length;
    for (const char *at = text; at < end && count + 1 < most; at++)
        if (*at == by) {
            to[count++] = (struct slice){from, (size_t)(at - from)};
            from = at + 1;
        }
    to[count] = (struct slice){from, (size_t)(end - from)};
    return count + 1;
}

/* Sets to[c] to the place of column c among the names, counted from `base`, or to -1. */
static void map_columns(const struct column *columns, size_t count, const struct slice *name, size_t names, short base,
                        short *to)
{
    for (size_t c = 0; c < count; c++)
        to[c] = -1;
    /* Names mostly stand in the order of the columns, so that the search goes on behind the last one found. */
    for (size_t i = 0, next = 0; i < names; i++)
        for (size_t tried = 0, c = next; tried < count; tried++, c = c + 1 < count ? c + 1 : 0)
            if (text_is(name[i].text, name[i].length, columns[c].name)) {
                to[c] = (short)(base + (short)i);
                next = c + 1 < count ? c + 1 : 0;
                break;
            }
}

/* The columns of a line in the order of its fields. */
static size_t field_order(size_t *order)
{
    size_t count = 0;
    bool is_key[RESULT_COLUMNS] = {false};
    for (; count < KEYS; count++) {
        order[count] = keys[count].column;
        is_key[order[count]] = true;
    }
    for (size_t c = 0; c < RESULT_COLUMNS; c++)
        if (!is_key[c] && columns_result[c].kind != COLUMN_EXPERIMENT)
            order[count++] = c;
    return count;
}

char *journal_line_layout(struct journal_layout *layout, size_t *length)
{
    size_t order[RESULT_COLUMNS];
    const size_t count = field_order(order);
    char *names = NULL, *body = NULL;
    size_t size;
    FILE *out = open_memstream(&names, &size);
    if (!out)
        return NULL;
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%s%s", i > 0 ? "," : "", columns_result[order[i]].name);
    for (size_t c = 1; c < SAMPLE_COLUMNS; c++)
        fprintf(out, "%s%s", c > 1 ? "," : "\t", columns_sample[c].name);
    fputs("\thistory", out);
    if (fclose(out) == 0) {
        const int all = asprintf(&body, "%s%08x\t%s", layout_word, (unsigned)journal_crc(names, size), names);
        *length = (size_t)all;
        if (all < 0)
            body = NULL;
        if (body && !journal_line_layout_read(layout, body, *length)) {
            free(body);
            body = NULL;
        }
    }
    free(names);
    return body;
}

bool journal_line_layout_read(struct journal_layout *layout, const char *body, size_t length)
{
    struct slice part[5], name[FIELDS_MAX];
    const size_t word = sizeof layout_word - 1;
    if (length <= word || memcmp(body, layout_word, word) != 0)
        return false;
    const size_t parts = journal_line_split(body + word, length - word, '\t', part, 5);
    if (parts < 3 || parts > 4 || !journal_line_tag(body + word, length - word, &layout->tag))
        return false;
    size_t names = journal_line_split(part[1].text, part[1].length, ',', name, FIELDS_MAX);
    map_columns(columns_result, RESULT_COLUMNS, name, names, 1, layout->field);
    layout->samples = (short)(names + 1);
    layout->history = parts == 4 ? (short)(names + 2) : -1;
    layout->last_key = 0;
    for (size_t k = 0; k < KEYS; k++)
        if (layout->field[keys[k].column] > layout->last_key)
            layout->last_key = layout->field[keys[k].column];

    names = journal_line_split(part[2].text, part[2].length, ',', name, FIELDS_MAX);
    map_columns(columns_sample, SAMPLE_COLUMNS, name, names, 0, layout->sample);
    layout->samples_as_rows = names == SAMPLE_COLUMNS - 1;
    for (short c = 1; c < SAMPLE_COLUMNS; c++)
        layout->samples_as_rows = layout->samples_as_rows && layout->sample[c] == c - 1;
    return layout->field[RESULT_AT_cell] >= 0 && layout->samples + 1 < FIELDS_MAX;
}

bool journal_line_tag(const char *body, size_t length, uint32_t *tag)
{
    if (length <= TAG_DIGITS || body[TAG_DIGITS] != '\t')
        return false;
    *tag = 0;
    for (int i = 0; i < TAG_DIGITS; i++) {
        const char c = body[i];
        if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f')))
            return false;
        *tag = *tag << 4 | (uint32_t)(c <= '9' ? c - '0' : c - 'a' + 10);
    }
    return true;
}

static void put_escaped(FILE *out, const char *text)
{
    for (; *text; text++)
        if (*text == '\t' || *text == '\n' || *text == '\\')
            fprintf(out, "\\%c", *text == '\t' ? 't' : *text == '\n' ? 'n' : '\\');
        else
            putc(*text, out);
}

size_t journal_line_unescape(struct slice field, char *to)
{
    size_t used = 0;
    for (size_t i = 0; i < field.length; i++) {
        char c = field.text[i];
        if (c == '\\' && i + 1 < field.length) {
            c = field.text[++i];
            c = c == 't' ? '\t' : c == 'n' ? '\n' : c;
        }
        to[used++] = c;
    }
    to[used] = '\0';
    return used;
}

char *journal_line_compose(const struct journal_layout *layout, const char *const text[RESULT_COLUMNS],
                           const char *samples, const char *history, size_t *length)
{
    size_t order[RESULT_COLUMNS];
    const size_t count = field_order(order);
    char *body = NULL;
    FILE *out = open_memstream(&body, length);
    if (!out)
        return NULL;
    fprintf(out, "%08x", (unsigned)layout->tag);
    for (size_t i = 0; i < count; i++) {
        putc('\t', out);
        put_escaped(out, text[order[i]] ? text[order[i]] : "");
    }
    fprintf(out, "\t%s\t%s", samples ? samples : "", history ? history : "");
    if (fclose(out) != 0) {
        free(body);
        return NULL;
    }
    return body;
}

/* The samples and the history of a result as they are in a line. The caller frees the texts; NULL without memory. */
static char *print_samples(const struct result *result)
{
    char *all = NULL, text[COLUMN_TEXT_SIZE];
    size_t size;
    FILE *out = open_memstream(&all, &size);
    if (!out)
        return NULL;
    for (size_t i = 0; i < result->sample_count; i++)
        for (size_t c = 1; c < SAMPLE_COLUMNS; c++) {
            columns_print(&columns_sample[c], &result->sample[i], text);
            fprintf(out, "%s%s", c > 1 ? "," : i > 0 ? ";" : "", text);
        }
    return fclose(out) == 0 ? all : NULL;
}

static char *print_history(const struct result *result)
{
    char *all = NULL, text[COLUMN_TEXT_SIZE];
    size_t size;
    FILE *out = open_memstream(&all, &size);
    if (!out)
        return NULL;
    if (result->history_count > 0)
        fprintf(out, "%lld", (long long)result->history_every);
    for (size_t i = 0; i < result->history_count; i++) {
        number_print(result->history[i], text);
        fprintf(out, ";%s", text);
    }
    return fclose(out) == 0 ? all : NULL;
}

char *journal_line_print(const struct journal_layout *layout, const struct result *result, size_t *length)
{
    char(*text)[COLUMN_TEXT_SIZE] = malloc(RESULT_COLUMNS * sizeof *text), *body = NULL;
    const char *field[RESULT_COLUMNS];
    char *samples = print_samples(result), *history = print_history(result);
    if (text && samples && history) {
        for (size_t c = 0; c < RESULT_COLUMNS; c++) {
            columns_print(&columns_result[c], result, text[c]);
            field[c] = text[c];
        }
        body = journal_line_compose(layout, field, samples, history, length);
    }
    free(text);
    free(samples);
    free(history);
    return body;
}

bool journal_line_fields(const struct journal_layout *layout, const char *body, size_t length,
                         struct slice field[FIELDS_MAX])
{
    const size_t count = (size_t)(layout->history >= 0 ? layout->history : layout->samples) + 1;
    return journal_line_split(body, length, '\t', field, count) == count;
}

bool journal_line_key(const struct journal_layout *layout, const char *body, size_t length, struct journal_key *key)
{
    struct slice field[FIELDS_MAX];
    /* Some field always follows the last key, as the samples come behind all columns. */
    const size_t after = (size_t)layout->last_key + 1;
    *key = (struct journal_key){.id = {body, 0}};
    if (journal_line_split(body, length, '\t', field, after + 1) <= after)
        return false;
    for (size_t k = 0; k < KEYS; k++) {
        const short at = layout->field[keys[k].column];
        *(struct slice *)((char *)key + keys[k].offset) = at >= 0 ? field[at] : (struct slice){body, 0};
    }
    return key->id.length > 0;
}

bool journal_line_read(const struct journal_layout *layout, const char *body, size_t length, unsigned kinds,
                       struct result *result)
{
    struct slice field[FIELDS_MAX];
    char text[2 * COLUMN_TEXT_SIZE];
    size_t last = 0;
    for (size_t c = 0; c < RESULT_COLUMNS; c++)
        if (kinds & BIT(columns_result[c].kind) && layout->field[c] > (short)last)
            last = (size_t)layout->field[c];
    if (journal_line_split(body, length, '\t', field, last + 2) != last + 2)
        return false;
    for (size_t c = 0; c < RESULT_COLUMNS; c++) {
        const struct column *column = &columns_result[c];
        if (layout->field[c] < 0 || !(kinds & BIT(column->kind)))
            continue;
        struct slice from = field[layout->field[c]];
        if (memchr(from.text, '\\', from.length)) {
            if (from.length >= sizeof text)
                return false;
            from.length = journal_line_unescape(from, text);
            from.text = text;
        }
        if (!columns_read(column, result, from.text, from.length))
            return false;
    }
    result_recount(result, result->cell.entry ? result->cell.entry->problem : NULL);
    return true;
}

/* Reads one sample, whose columns are in the order of the layout. */
static bool read_sample(const struct journal_layout *layout, struct slice text, struct sample *sample)
{
    struct slice field[FIELDS_MAX];
    const size_t count = journal_line_split(text.text, text.length, ',', field, FIELDS_MAX);
    *sample = result_no_sample();
    for (size_t c = 1; c < SAMPLE_COLUMNS; c++) {
        const short at = layout->sample[c];
        const struct slice from = at >= 0 && (size_t)at < count ? field[at] : (struct slice){"", 0};
        if (!columns_read(&columns_sample[c], sample, from.text, from.length))
            return false;
    }
    return true;
}

static bool read_samples(const struct journal_layout *layout, struct slice samples, struct result *result)
{
    const char *end = samples.text + samples.length;
    for (const char *from = samples.text, *stop; from < end; from = stop + 1) {
        stop = memchr(from, ';', (size_t)(end - from));
        stop = stop ? stop : end;
        result->sample = memory_grow(result->sample, result->sample_count + 1, sizeof *result->sample);
        if (!read_sample(layout, (struct slice){from, (size_t)(stop - from)}, &result->sample[result->sample_count]))
            return false;
        result->sample_count++;
    }
    return true;
}

static bool read_history(struct slice history, struct result *result)
{
    const char *end = history.text + history.length;
    const char *from = memchr(history.text, ';', history.length);
    if (!number_read_count(history.text, (size_t)((from ? from : end) - history.text), &result->history_every))
        return false;
    while (from) {
        const char *value = from + 1;
        from = memchr(value, ';', (size_t)(end - value));
        result->history = memory_grow(result->history, result->history_count + 1, sizeof *result->history);
        if (!number_read(value, (size_t)((from ? from : end) - value), &result->history[result->history_count]))
            return false;
        result->history_count++;
    }
    return true;
}

bool journal_line_read_samples(const struct journal_layout *layout, const char *body, size_t length,
                               struct result *result)
{
    struct slice field[FIELDS_MAX];
    return journal_line_fields(layout, body, length, field) && read_samples(layout, field[layout->samples], result) &&
           (layout->history < 0 || field[layout->history].length == 0 || read_history(field[layout->history], result));
}
