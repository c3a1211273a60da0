/* Formats of `tilelab query`: plain lines, TSV, CSV, LaTeX tables and macros, HTML tables, gnuplot data blocks.
 * SPDX-License-Identifier: MIT */
#include "query_print.h"

#include "query_print_latex.h"
#include "base/csv.h"
#include "base/escape.h"
#include "base/memory.h"
#include "base/rewrite.h"

#include <ctype.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* ---- plain ---- */

static void print_plain(const char *text, FILE *out)
{
    for (; text && *text; text++)
        putc(*text == '\t' || *text == '\n' ? ' ' : *text, out);
}

static void print_lines(const struct rows *rows, FILE *out)
{
    for (size_t row = 0; row < rows->count; row++)
        for (size_t i = 0; i < rows->columns; i++) {
            print_plain(rows_value(rows, row, i), out);
            putc(i + 1 < rows->columns ? '\t' : '\n', out);
        }
}

static void print_tsv(const struct rows *rows, FILE *out)
{
    for (size_t i = 0; i < rows->columns; i++)
        fprintf(out, "%s%c", rows->name[i], i + 1 < rows->columns ? '\t' : '\n');
    print_lines(rows, out);
}

static void produce_csv(struct sink *sink, const void *context)
{
    const struct rows *rows = context;
    for (size_t i = 0; i < rows->columns; i++)
        csv_put(sink, rows->name[i], strlen(rows->name[i]), i + 1 < rows->columns ? ',' : '\n');
    for (size_t row = 0; row < rows->count; row++)
        for (size_t i = 0; i < rows->columns; i++) {
            const char *text = rows_value(rows, row, i) ? rows_value(rows, row, i) : "";
            csv_put(sink, text, strlen(text), i + 1 < rows->columns ? ',' : '\n');
        }
}

static void print_csv(const struct rows *rows, FILE *out)
{
    rewrite_print(out, produce_csv, rows);
}

/* ---- LaTeX ---- */

/* Of the first row: \def\name{value}; a name's other characters than letters are dropped. */
static void print_macros(const struct rows *rows, FILE *out)
{
    for (size_t i = 0; i < rows->columns; i++) {
        fputs("\\def\\", out);
        for (const char *at = rows->name[i]; *at; at++)
            if (isalpha((unsigned char)*at))
                putc(*at, out);
        putc('{', out);
        escape_put(out, escape_latex, rows->count && rows_value(rows, 0, i) ? rows_value(rows, 0, i) : "");
        fputs("}\n", out);
    }
}

/* ---- HTML ---- */

/* A column "href NAME" is the link of the column NAME, and a column "id" is the name of a row. */
static bool is_shown(const struct rows *rows, size_t column)
{
    return strncmp(rows->name[column], "href ", 5) != 0 && strcmp(rows->name[column], "id") != 0;
}

static void put_html(const char *before, const char *text, const char *after, FILE *out)
{
    fputs(before, out);
    escape_put(out, escape_html, text);
    fputs(after, out);
}

/* A cell names its column, for narrow screens, on which a row is not shown as a line. */
static void begin_html_cell(const char *column, const char *text, bool right, FILE *out)
{
    const char *const classes = right ? text ? "number" : "number none" : text ? NULL : "none";
    fputs("<td", out);
    if (classes)
        fprintf(out, " class=\"%s\"", classes);
    put_html(" data-label=\"", column, "\">", out);
}

/* `right` tells of each column whether it is aligned to the right. */
static void print_html_row(const struct rows *rows, size_t row, const bool *right, FILE *out)
{
    const size_t id = rows_column(rows, "id");
    if (id < rows->columns && rows_value(rows, row, id))
        put_html("<tr id=\"", rows_value(rows, row, id), "\">", out);
    else
        fputs("<tr>", out);
    for (size_t i = 0; i < rows->columns; i++) {
        if (!is_shown(rows, i))
            continue;
        char name[96];
        snprintf(name, sizeof name, "href %s", rows->name[i]);
        const size_t link = rows_column(rows, name);
        const char *const text = rows_value(rows, row, i);
        const char *const target = link < rows->columns ? rows_value(rows, row, link) : NULL;
        begin_html_cell(rows->name[i], text, right[i], out);
        if (target && text)
            put_html("<a href=\"", target, "\">", out);
        escape_put(out, escape_html, text ? text : "–");
        fputs(target && text ? "</a></td>" : "</td>", out);
    }
    fputs("</tr>\n", out);
}

/* A table with a body for each block. */
static void print_html(const struct rows *rows, FILE *out)
{
    if (rows->count == 0)
        return;
    size_t block = 0, shown = 0;
    bool *const right = memory_allocate(rows->columns, sizeof *right);
    for (size_t i = 0; i < rows->columns; i++)
        right[i] = rows_right_aligned(rows, i);
    fputs("<div class=\"table\"><table>\n<thead><tr>", out);
    for (size_t i = 0; i < rows->columns; i++)
        if (is_shown(rows, i)) {
            put_html(right[i] ? "<th scope=\"col\" class=\"number\">" : "<th scope=\"col\">", rows->name[i], "</th>",
                     out);
            shown++;
        }
    fputs("</tr></thead>\n", out);
    for (size_t row = 0; row < rows->count; row++) {
        const bool starts = block < rows->blocks && rows->block[block].first == row;
        if (starts || row == 0)
            fputs(row ? "</tbody>\n<tbody>\n" : "<tbody>\n", out);
        if (starts) {
            fprintf(out, "<tr class=\"block\"><th scope=\"rowgroup\" colspan=\"%zu\">", shown);
            put_html("", rows->block[block++].label, "</th></tr>\n", out);
        }
        print_html_row(rows, row, right, out);
    }
    fputs("</tbody>\n</table></div>\n", out);
    free(right);
}

/* ---- gnuplot ---- */

static void print_gnuplot_value(const struct rows *rows, size_t row, size_t column, FILE *out)
{
    const char *value = rows_value(rows, row, column);
    if (rows->numeric[column])
        fputs(value ? value : "NaN", out);
    else
        escape_put(out, escape_gnuplot, value ? value : "");
}

static bool of_curve(const struct rows *rows, size_t column)
{
    return strncmp(rows->name[column], "curve", 5) == 0;
}

/* Arrays of what belongs to a curve: its title (column "curve") and every column "curve_x". */
static void print_curve_arrays(const struct rows *rows, const char *title, const size_t *first, size_t curves,
                               FILE *out)
{
    for (size_t i = 0; i < rows->columns; i++) {
        if (!of_curve(rows, i))
            continue;
        const char *suffix = rows->name[i][5] == '_' ? rows->name[i] + 6 : "title";
        fprintf(out, "array %s_%s[%zu] = [", title, suffix, curves);
        for (size_t curve = 0; curve < curves; curve++) {
            fputs(curve ? ", " : "", out);
            print_gnuplot_value(rows, first[curve], i, out);
        }
        fputs("]\n", out);
    }
}

/* "-- scalars": variables of the first row. Otherwise the data block $name and name_count; with a column "curve" a
 * block for each run of equal curves, name_count of them. Only numbers go into data blocks. */
static void print_gnuplot(const struct rows *rows, FILE *out)
{
    if (rows->scalars) {
        for (size_t i = 0; i < rows->columns && rows->count; i++) {
            fprintf(out, "%s = ", rows->name[i]);
            print_gnuplot_value(rows, 0, i, out);
            putc('\n', out);
        }
        return;
    }
    const char *title = rows->title[0] ? rows->title : "data";
    const size_t curve = rows_column(rows, "curve");
    size_t *first = memory_allocate(rows->count + 1, sizeof *first), curves = 0;
    fprintf(out, "$%s << END_OF_%s\n", title, title);
    if (curve < rows->columns && rows->count) {
        putc('#', out); /* a comment for readers of the file: gnuplot knows columns by their numbers */
        for (size_t i = 0; i < rows->columns; i++)
            if (!of_curve(rows, i))
                fprintf(out, " %s", rows->name[i]);
        putc('\n', out);
    }
    for (size_t row = 0; row < rows->count; row++) {
        if (curve < rows->columns && !rows_repeats(rows, row, curve)) {
            fputs(row ? "\n\n" : "", out);
            first[curves++] = row;
        }
        const char *separator = "";
        for (size_t i = 0; i < rows->columns; i++) {
            if (of_curve(rows, i))
                continue;
            fprintf(out, "%s%s", separator,
                    rows->numeric[i] && rows_value(rows, row, i) ? rows_value(rows, row, i) : "NaN");
            separator = " ";
        }
        putc('\n', out);
    }
    fprintf(out, "END_OF_%s\n%s_count = %zu\n", title, title, curve < rows->columns ? curves : rows->count);
    if (curves)
        print_curve_arrays(rows, title, first, curves, out);
    free(first);
}

/* Prints a text as a string of JSON. A byte that is no UTF-8 was made visible by nobody, so jansson refuses it: the
 * value is then null. */
static void print_json_value(const struct rows *rows, size_t row, size_t column, FILE *out)
{
    const char *text = rows_value(rows, row, column);
    json_t *value = NULL;
    if (text && rows->numeric[column])
        value = json_loads(text, JSON_DECODE_ANY, NULL);
    if (!value)
        value = text ? json_string(text) : NULL;
    char *json = value ? json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15)) : NULL;
    fputs(json ? json : "null", out);
    free(json);
    json_decref(value);
}

/* An array with an object for each row. */
static void print_json(const struct rows *rows, FILE *out)
{
    fputs("[", out);
    for (size_t row = 0; row < rows->count; row++) {
        fputs(row ? ",\n {" : "\n {", out);
        for (size_t i = 0; i < rows->columns; i++) {
            json_t *name = json_string(rows->name[i]);
            char *key = name ? json_dumps(name, JSON_ENCODE_ANY) : NULL;
            fprintf(out, "%s%s: ", i ? ", " : "", key ? key : "\"\"");
            print_json_value(rows, row, i, out);
            free(key);
            json_decref(name);
        }
        fputs("}", out);
    }
    fputs("\n]\n", out);
}

/* Facts are printed apart from all other rows. */
static void print_nothing(const struct rows *rows, FILE *out)
{
    (void)rows, (void)out;
}

const struct query_print_format query_print_formats[] = {
    {"tsv", print_tsv, WORDS_EVERYTHING, false},
    {"csv", print_csv, WORDS_EVERYTHING, false},
    {"json", print_json, WORDS_NONE, false},
    {"lines", print_lines, WORDS_NONE, false},
    {"latex", query_print_latex, WORDS_EVERYTHING, true},
    {"macros", print_macros, WORDS_NUMBERS, false},
    {"html", print_html, WORDS_EVERYTHING, true},
    {"gnuplot", print_gnuplot, WORDS_VALUES, false},
    {"facts", print_nothing, WORDS_NONE, false},
    {NULL, NULL, WORDS_NONE, false},
};

const struct query_print_format *query_print_find(const char *name)
{
    for (const struct query_print_format *format = query_print_formats; format->name; format++)
        if (strcmp(format->name, name) == 0)
            return format;
    return NULL;
}
