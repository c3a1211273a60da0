/* The rows of a study's results.csv: which cells it lists, in which order, and which result it shows of each.
 * SPDX-License-Identifier: MIT */
#include "listed.h"

#include "columns.h"
#include "store.h"
#include "base/csv.h"
#include "base/escape.h"
#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The column of a name, or RESULT_COLUMNS where there is no such column. */
static size_t column_of(const char *name)
{
    size_t c = 0;
    while (c < RESULT_COLUMNS && strcmp(columns_result[c].name, name) != 0)
        c++;
    return c;
}

static void read_field(struct result *row, size_t column, const char *text)
{
    if (!columns_read(&columns_result[column], row, text, strlen(text)))
        columns_read(&columns_result[column], row, "", 0);
}

/* Reads the header, which says which column each field of a row is, and the rows. Warns of a file whose end cannot be
 * read. */
static void read_rows(struct csv *csv, struct listed *listed)
{
    size_t columns[4 * RESULT_COLUMNS], count = 0;
    int got = csv_read(csv);
    for (; count < csv->fields && count < sizeof columns / sizeof *columns; count++)
        columns[count] = column_of(csv->field[count] ? csv->field[count] : "");
    while (got > 0 && (got = csv_read(csv)) > 0) {
        if (listed->count == listed->room)
            listed->row =
                memory_grow(listed->row, listed->room = listed->room ? 2 * listed->room : 64, sizeof *listed->row);
        struct result *row = &listed->row[listed->count++];
        memset(row, 0, sizeof *row);
        for (size_t c = 0; c < RESULT_COLUMNS; c++)
            read_field(row, c, "");
        for (size_t i = 0; i < csv->fields && i < count; i++)
            if (csv->field[i] && columns[i] < RESULT_COLUMNS)
                read_field(row, columns[i], csv->field[i]);
    }
    if (got < 0)
        escape_tell("%s:%d: warning: left out the rest of the file: a quoted field is not closed", csv->path,
                    csv->line);
}

bool listed_read(struct listed *listed, const char *folder, const char *study)
{
    struct csv csv;
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.results.csv", folder, study);
    if (!csv_open(&csv, path))
        return false;
    read_rows(&csv, listed);
    csv_close(&csv);
    return true;
}

void listed_find(struct listed *listed, const char *folder, const char *study)
{
    size_t size;
    if (listed_read(listed, folder, study) || errno != ENOENT)
        return;
    char *text = store_text(folder, study, &size);
    FILE *file = text ? fmemopen(text, size, "r") : NULL;
    if (file) {
        struct csv csv;
        csv_start(&csv, file, study);
        read_rows(&csv, listed);
        csv_close(&csv);
    }
    free(text);
}

void listed_free(struct listed *listed)
{
    free(listed->row);
    *listed = (struct listed){.row = NULL};
}
