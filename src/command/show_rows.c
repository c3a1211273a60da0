/* The rows of an experiment's results, as texts by column.
 * SPDX-License-Identifier: MIT */
#include "show_rows.h"

#include "base/csv.h"
#include "base/escape.h"
#include "base/memory.h"
#include "results/store.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

size_t show_rows_column(const char *name)
{
    size_t c = 0;
    while (c < RESULT_COLUMNS && strcmp(columns_result[c].name, name) != 0)
        c++;
    return c;
}

/* Reads the header, which says which of columns_result each field of a row is, and the rows. */
static void read_rows(struct csv *csv, struct show_rows *rows)
{
    size_t columns[4 * RESULT_COLUMNS], count = 0, room = 0;
    if (csv_read(csv) <= 0)
        return;
    for (; count < csv->fields && count < sizeof columns / sizeof *columns; count++)
        columns[count] = show_rows_column(csv->field[count] ? csv->field[count] : "");
    while (csv_read(csv) > 0) {
        if (rows->count == room) {
            room = room ? 2 * room : 64;
            rows->field = memory_grow(rows->field, room, RESULT_COLUMNS * sizeof *rows->field);
        }
        char **field = &rows->field[rows->count++ * RESULT_COLUMNS];
        memset(field, 0, RESULT_COLUMNS * sizeof *field);
        for (size_t i = 0; i < csv->fields && i < count; i++)
            if (csv->field[i] && columns[i] < RESULT_COLUMNS && !field[columns[i]])
                field[columns[i]] = memory_copy(csv->field[i]);
    }
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

bool show_rows_read(const char *folder, const char *experiment, struct show_rows *rows)
{
    struct csv csv;
    char path[1024], *text = NULL;
    size_t size;
    *rows = (struct show_rows){0};
    snprintf(path, sizeof path, "%s/%s.results.csv", folder, experiment);
    bool found = csv_open(&csv, path);
    const int error = errno;
    if (!found && error == ENOENT && (text = journal_text(folder, experiment, &size))) {
        csv_start(&csv, fmemopen(text, size, "r"), path);
        found = csv.file != NULL;
    }
    if (found) {
        read_rows(&csv, rows);
    } else {
        fputs("tilelab show: ", stderr);
        escape_put(stderr, escape_terminal, path);
        fprintf(stderr, ": %s%s\n", strerror(error),
                error == ENOENT ? "; `tilelab run` measures, --data DIR names another folder" : "");
    }
    csv_close(&csv);
    free(text);
    return found;
}

void show_rows_free(struct show_rows *rows)
{
    for (size_t i = 0; i < rows->count * RESULT_COLUMNS; i++)
        free(rows->field[i]);
    free(rows->field);
}
