/* CSV (RFC 4180): reads records from a file, and puts fields into a sink.
 * SPDX-License-Identifier: MIT */
#include "csv.h"

#include "memory.h"
#include "regular.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void csv_start(struct csv *csv, FILE *file, const char *path)
{
    *csv = (struct csv){.file = file, .line = 1, .next_line = 1};
    snprintf(csv->path, sizeof csv->path, "%s", path);
}

bool csv_open(struct csv *csv, const char *path)
{
    csv_start(csv, regular_open(path), path);
    return csv->file != NULL;
}

enum { BLOCK = 1 << 16 };

/* Whether the buffer holds a byte more; if not, reads a block. */
static bool has_byte(struct csv *csv)
{
    if (csv->at < csv->held)
        return true;
    if (!csv->buffer)
        csv->buffer = memory_allocate(BLOCK, 1);
    csv->held = fread(csv->buffer, 1, BLOCK, csv->file);
    csv->at = 0;
    /* A NUL ends a field in csv->text. One in the file would shift all fields behind it by one. */
    char *at = csv->buffer, *end = at + csv->held;
    while ((at = memchr(at, '\0', (size_t)(end - at))))
        *at++ = '?';
    return csv->held > 0;
}

/* Sets `count` bytes of the record from byte `at` on. */
static void keep(struct csv *csv, size_t at, const char *bytes, size_t count)
{
    if (at + count > csv->room || !csv->text)
        csv->text = memory_grow(csv->text, csv->room = 2 * (at + count) + 4096, 1);
    memcpy(csv->text + at, bytes, count);
}

/* Keeps the bytes that come next and stand for themselves, as far as the buffer holds them. Returns how many. */
static size_t keep_run(struct csv *csv, size_t at, bool quoted)
{
    const char *from = csv->buffer + csv->at, *end = csv->buffer + csv->held, *to = from;
    if (quoted)
        while (to < end && *to != '"' && *to != '\n')
            to++;
    else
        while (to < end && *to != '"' && *to != ',' && *to != '\n' && *to != '\r')
            to++;
    keep(csv, at, from, (size_t)(to - from));
    csv->at += (size_t)(to - from);
    return (size_t)(to - from);
}

/* Cuts the record into its fields, each of which a NUL ends. */
static void cut(struct csv *csv, size_t fields)
{
    if (fields > csv->field_room)
        csv->field = memory_grow(csv->field, csv->field_room = fields, sizeof *csv->field);
    char *at = csv->text;
    for (size_t i = 0; i < fields; i++) {
        csv->field[i] = *at ? at : NULL;
        at += strlen(at) + 1;
    }
    csv->fields = fields;
}

int csv_read(struct csv *csv)
{
    size_t length = 0, fields = 1;
    bool quoted = false;
    csv->line = csv->next_line;
    if (!has_byte(csv))
        return 0;
    while (has_byte(csv)) {
        length += keep_run(csv, length, quoted);
        if (csv->at == csv->held)
            continue;
        const char byte = csv->buffer[csv->at++];
        csv->next_line += byte == '\n';
        if (byte == '"' && quoted && has_byte(csv) && csv->buffer[csv->at] == '"')
            keep(csv, length++, &csv->buffer[csv->at++], 1);
        else if (byte == '"')
            quoted = !quoted;
        else if (quoted)
            keep(csv, length++, "\n", 1);
        else if (byte == '\n')
            break;
        else if (byte == ',') {
            keep(csv, length++, "", 1);
            fields++;
        }
    }
    if (quoted)
        return -1;
    keep(csv, length, "", 1);
    cut(csv, fields);
    return 1;
}

int csv_find(const struct csv *csv, const char *text)
{
    for (size_t i = 0; i < csv->fields; i++)
        if (csv->field[i] && strcmp(csv->field[i], text) == 0)
            return (int)i;
    return -1;
}

const char *csv_field(const struct csv *csv, int index)
{
    return index < 0 || (size_t)index >= csv->fields ? NULL : csv->field[index];
}

void csv_close(struct csv *csv)
{
    if (csv->file)
        fclose(csv->file);
    free(csv->buffer);
    free(csv->text);
    free(csv->field);
}

static bool needs_quotes(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (text[i] == ',' || text[i] == '"' || text[i] == '\r' || text[i] == '\n')
            return true;
    return length > 0 && (text[0] == ' ' || text[length - 1] == ' ');
}

void csv_put(struct sink *sink, const char *text, size_t length, char end)
{
    if (needs_quotes(text, length)) {
        sink_byte(sink, '"');
        for (size_t i = 0; i < length; i++) {
            if (text[i] == '"')
                sink_byte(sink, '"');
            sink_byte(sink, text[i]);
        }
        sink_byte(sink, '"');
    } else {
        sink_put(sink, text, length);
    }
    sink_byte(sink, end);
}
