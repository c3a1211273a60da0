/* Reading of CSV (RFC 4180).
 * SPDX-License-Identifier: MIT */
#include "csv.h"

#include "memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static void csv_put(struct csv *csv, size_t at, char byte)
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
                csv_put(csv, length++, '"');
                continue;
            }
            ungetc(next, csv->file);
            quoted = false;
        } else if (byte == '"') {
            quoted = true;
        } else if (!quoted && (byte == '\n' || byte == EOF)) {
            break;
        } else if (!quoted && byte == ',') {
            csv_put(csv, length++, '\0');
            fields++;
        } else if (quoted || byte != '\r') {
            csv_put(csv, length++, (char)byte);
        }
    }
    csv_put(csv, length, '\0');
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

void csv_close(struct csv *csv)
{
    if (csv->file)
        fclose(csv->file);
    free(csv->text);
    free(csv->field);
}
