/* Facts: the rows of the SELECT below a line "-- facts", for texts that LaTeX completes.
 * SPDX-License-Identifier: MIT */
#include "query_facts.h"

#include "base/escape.h"

#include <stdlib.h>
#include <string.h>

/* Whether LaTeX can compare the text with a word of a template. */
static bool is_word(const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-";
    return text[strspn(text, letters)] == '\0';
}

static void put_fact(const char *name, const char *text, const struct words *words, FILE *out)
{
    if (!text)
        return;
    fprintf(out, "\\setfact{%s}{%s}{", name, is_word(text) ? text : "");
    char *const shown = words_translate(words, text);
    escape_put(out, escape_latex, shown);
    free(shown);
    fputs("}", out);
}

/* The path's last folder and file. A figure and a table may have one name. */
static const char *name_of(const char *path)
{
    const char *name = path, *file = path;
    for (const char *at = path; *at; at++)
        if (*at == '/') {
            name = file;
            file = at + 1;
        }
    return name;
}

void query_facts_print(const struct rows *rows, const char *path, const char *host, const struct words *words,
                       FILE *out)
{
    const char *const name = name_of(path);
    const int length = (int)strcspn(name, ".");
    const bool names_host = !rows || rows_column(rows, "host") < rows->columns;
    fprintf(out, "\\factnames{%.*s}{%s", length, name, names_host ? "" : "host");
    for (size_t i = 0; rows && i < rows->columns; i++)
        fprintf(out, "%s%s", i > 0 || !names_host ? "," : "", rows->name[i]);
    fputs("}\n", out);
    for (size_t row = 0; rows && row < rows->count; row++) {
        fprintf(out, "\\factrow{%.*s}{%zu}{", length, name, row + 1);
        if (!names_host)
            put_fact("host", host, words, out);
        for (size_t i = 0; i < rows->columns; i++)
            put_fact(rows->name[i], rows_value(rows, row, i), words, out);
        fputs("}\n", out);
    }
}
