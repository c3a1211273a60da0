/* CSV (RFC 4180): reads records from a file, and puts fields into a sink.
 * SPDX-License-Identifier: MIT */
#include "csv.h"

#include "memory.h"

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
    csv_start(csv, fopen(path, "re"), path);
    return csv->file != NULL;
}

/* Sets byte `at` of the record. */
static void keep(struct csv *csv, size_t at, char byte)
{
    if (at >= csv->room)
        csv->text = memory_grow(csv->text, csv->room = csv->room ? 2 * csv->room : 4096, 1);
    csv->text[at] = byte;
}

int csv_read(struct csv *csv)
{
    size_t length = 0, fields = 1;
    bool quoted = false;
    csv->line = csv->next_line;
    int byte = getc_unlocked(csv->file);
    if (byte == EOF)
        return 0;
    for (;; byte = getc_unlocked(csv->file)) {
        csv->next_line += byte == '\n';
        if (byte == EOF && quoted)
            return -1;
        if (byte == '"' && quoted) {
            const int next = getc_unlocked(csv->file);
            if (next == '"') {
                keep(csv, length++, '"');
                continue;
            }
            ungetc(next, csv->file);
            quoted = false;
        } else if (byte == '"') {
            quoted = true;
        } else if (!quoted && (byte == '\n' || byte == EOF)) {
            break;
        } else if (!quoted && byte == ',') {
            keep(csv, length++, '\0');
            fields++;
        } else if (quoted || byte != '\r') {
            keep(csv, length++, (char)byte);
        }
    }
    keep(csv, length, '\0');
    if (fields > csv->field_room)
        csv->field = memory_grow(csv->field, csv->field_room = fields, sizeof *csv->field);
    char *at = csv->text;
    for (size_t i = 0; i < fields; i++) {
        csv->field[i] = *at ? at : NULL;
        at += strlen(at) + 1;
    }
    csv->fields = fields;
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
