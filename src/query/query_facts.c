/* Facts: the rows of the SELECT below a line "-- facts". SPDX-License-Identifier: MIT */
#include "query_facts.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Prints a field, in which a tab or a line break is a blank. */
static void put_field(const char *text, FILE *out)
{
    for (; *text; text++)
        putc(strchr("\t\n\r", *text) ? ' ' : *text, out);
}

char *query_facts_name(const char *path)
{
    const char *name = path, *file = path;
    for (const char *at = path; *at; at++)
        if (*at == '/') {
            name = file;
            file = at + 1;
        }
    return memory_print("%.*s", (int)(file + strcspn(file, ".") - name), name);
}

static void put_fact(const char *name, const char *text, FILE *out)
{
    if (!text)
        return;
    fprintf(out, "\t%s=", name);
    put_field(text, out);
}

void query_facts_print(const struct rows *rows, const char *path, const char *host, FILE *out)
{
    char *const name = query_facts_name(path);
    const bool names_host = !rows || rows_column(rows, "host") < rows->columns;
    fprintf(out, "table\t%s%s", name, names_host ? "" : "\thost");
    for (size_t i = 0; rows && i < rows->columns; i++)
        fprintf(out, "\t%s", rows->name[i]);
    putc('\n', out);
    for (size_t row = 0; rows && row < rows->count; row++) {
        fprintf(out, "row\t%s", name);
        if (!names_host)
            put_fact("host", host, out);
        for (size_t i = 0; i < rows->columns; i++)
            put_fact(rows->name[i], rows_value(rows, row, i), out);
        putc('\n', out);
    }
    free(name);
}
