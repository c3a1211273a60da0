/* Formats of `tilelab query`: plain lines, TSV, CSV, LaTeX tables and macros, HTML tables, gnuplot data blocks.
 * SPDX-License-Identifier: MIT */
#include "query_print.h"

#include "base/csv.h"
#include "base/escape.h"
#include "base/memory.h"
#include "base/rewrite.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool same(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

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

enum { LINE_WIDTH = 100, LONG_TEXT = 26 }; /* characters in \small on the text width; a longer text is broken */

struct layout {
    size_t width[64]; /* characters of the widest value */
    size_t total;
    size_t broken; /* total of the columns whose text is broken over lines */
};

static bool is_number(const char *text)
{
    return isdigit((unsigned char)*text) || ((*text == '-' || *text == '+') && isdigit((unsigned char)text[1]));
}

static bool right_aligned(const struct rows *rows, size_t column)
{
    if (rows->numeric[column])
        return true;
    for (size_t row = 0; row < rows->count; row++)
        if (rows_value(rows, row, column) && !is_number(rows_value(rows, row, column)))
            return false;
    return true;
}

static struct layout measure(const struct rows *rows)
{
    struct layout layout = {0};
    for (size_t i = 0; i < rows->columns && i < 64; i++) {
        layout.width[i] = escape_width(rows->name[i]);
        for (size_t row = 0; row < rows->count; row++) {
            const char *text = rows_value(rows, row, i);
            const size_t width = text ? escape_width(text) : 1;
            layout.width[i] = width > layout.width[i] ? width : layout.width[i];
        }
        layout.total += layout.width[i] + 2;
        if (layout.width[i] > LONG_TEXT)
            layout.broken += layout.width[i];
    }
    return layout;
}

/* Column specification. Numbers are aligned to the right, short texts to the left. Long texts are broken within the
 * width that is left: L{share} is the report's type for a column of this share of the line. */
static void print_columns(const struct rows *rows, const struct layout *layout, size_t line, size_t kept, size_t from,
                          size_t count, FILE *out)
{
    const size_t fixed = layout->total - layout->broken;
    const double room = fixed + 10 < line ? (double)(line - fixed) / (double)line : 0.25;
    for (size_t at = 0; at < kept + count; at++) {
        const size_t i = at < kept ? at : from + at - kept;
        char share[24];
        if (layout->broken && layout->total > line && layout->width[i] > LONG_TEXT && kept == 0) {
            sqlite3_snprintf(sizeof share, share, "%.3f",
                             0.96 * room * (double)layout->width[i] / (double)layout->broken);
            fprintf(out, "L{%s}", share);
        } else {
            putc(right_aligned(rows, i) ? 'r' : 'l', out);
        }
    }
}

static void print_header(const struct rows *rows, size_t kept, size_t from, size_t count, FILE *out)
{
    for (size_t i = 0; i < kept + count; i++) {
        fprintf(out, "%s", i ? " & " : "");
        escape_put(out, escape_latex, rows->name[i < kept ? i : from + i - kept]);
    }
    fputs(" \\\\\n\\midrule\n", out);
}

static bool has_groups(const struct rows *rows)
{
    for (size_t row = 1; row < rows->count; row++)
        if (same(rows_value(rows, row, 0), rows_value(rows, row - 1, 0)))
            return true;
    return false;
}

/* The size of type of a table, a command of the report's style. */
static const struct size {
    const char *name, *separation;
    size_t line; /* characters of a line */
} sizes[] = {{"\\tablelarge", "4.5", LINE_WIDTH}, {"\\tablemiddle", "4.5", 112}, {"\\tablesmall", "3", 130}};

/* A table whose pivoted columns do not fit on a line is printed as several tables, one below the other. Returns how
 * many columns the first table has. */
static size_t columns_that_fit(const struct rows *rows, const struct layout *layout, size_t kept, size_t from)
{
    size_t used = 0, at = from;
    for (size_t i = 0; i < kept; i++)
        used += layout->width[i] + 2;
    while (at < rows->columns && (at == from || used + layout->width[at] + 2 <= sizes[2].line))
        used += layout->width[at++] + 2;
    return at - from;
}

static void print_label(const struct rows *rows, size_t row, size_t columns, FILE *out)
{
    for (size_t b = 0; b < rows->blocks; b++)
        if (rows->block[b].first == row && rows->blocks > 1) {
            fprintf(out, "%s\\multicolumn{%zu}{@{}l}{\\textit{", row > 0 ? "\\addlinespace\n" : "", columns);
            escape_put(out, escape_latex, rows->block[b].label);
            fputs("}}\\\\*\n", out);
        }
}

static bool is_empty(const struct rows *rows, size_t row, size_t from, size_t count)
{
    for (size_t i = from; i < from + count; i++)
        if (rows_value(rows, row, i))
            return false;
    return count > 0;
}

/* Prints the first `kept` columns and `count` columns from column `from` on. */
static void print_rows(const struct rows *rows, size_t kept, size_t from, size_t count, FILE *out)
{
    const bool spaced = rows->group && has_groups(rows);
    for (size_t row = 0; row < rows->count; row++) {
        const bool repeated = rows->group && row && same(rows_value(rows, row, 0), rows_value(rows, row - 1, 0));
        print_label(rows, row, kept + count, out);
        if (is_empty(rows, row, from, count))
            continue;
        if (spaced && row && !repeated)
            fputs("\\addlinespace\n", out);
        for (size_t i = 0; i < kept + count; i++) {
            const char *text = rows_value(rows, row, i < kept ? i : from + i - kept);
            fprintf(out, "%s", i ? " & " : "");
            if (i > 0 || !repeated)
                escape_put(out, escape_latex, text ? text : "–");
        }
        fputs(rows->count <= 20 && row + 1 < rows->count ? " \\\\*\n" : " \\\\\n", out);
    }
}

/* A longtable: \tilelabcaption, defined by the caller, is its caption. Up to 20 rows stay on one page. */
static void print_latex(const struct rows *rows, FILE *out)
{
    if (rows->count == 0 || rows->columns > 64)
        return;
    const struct layout layout = measure(rows);
    const size_t needed = layout.total - (layout.broken ? layout.broken * 2 / 3 : 0);
    size_t size = 0, pivoted = 0;
    while (size < 2 && needed > sizes[size].line)
        size++;
    while (pivoted < rows->columns && rows->pivot[1][0] && is_number(rows->name[rows->columns - 1 - pivoted]))
        pivoted++;
    const bool cut = needed > sizes[2].line && pivoted > 0;
    const size_t kept = cut ? rows->columns - pivoted : 0;
    for (size_t from = kept, count; from < rows->columns; from += count) {
        count = cut ? columns_that_fit(rows, &layout, kept, from) : rows->columns;
        fprintf(out,
                "\\begingroup%s\n\\setlength{\\tabcolsep}{%spt}\\setlength{\\LTcapwidth}{\\linewidth}\n"
                "\\begin{longtable}{@{}",
                sizes[size].name, sizes[size].separation);
        if (rows->align[0] && !cut)
            fputs(rows->align, out);
        else
            print_columns(rows, &layout, sizes[size].line, kept, from, count, out);
        fprintf(out, "@{}}\n%s\\toprule\n", from == kept ? "\\caption{\\tilelabcaption}\\\\\n" : "");
        print_header(rows, kept, from, count, out);
        fputs("\\endfirsthead\n\\toprule\n", out);
        print_header(rows, kept, from, count, out);
        fputs("\\endhead\n\\bottomrule\n\\endlastfoot\n", out);
        print_rows(rows, kept, from, count, out);
        fputs("\\end{longtable}\n\\endgroup\n", out);
    }
}

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

/* A column "href NAME" is the link of the column NAME, and a column "id" is the name of a row. A column without a value
 * is left out. */
static bool is_shown(const struct rows *rows, size_t column)
{
    bool has_value = false;
    for (size_t row = 0; row < rows->count && !has_value; row++)
        has_value = rows_value(rows, row, column) != NULL;
    return has_value && strncmp(rows->name[column], "href ", 5) != 0 && strcmp(rows->name[column], "id") != 0;
}

static void put_html(const char *before, const char *text, const char *after, FILE *out)
{
    fputs(before, out);
    escape_put(out, escape_html, text);
    fputs(after, out);
}

static void print_html_row(const struct rows *rows, size_t row, FILE *out)
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
        fputs(right_aligned(rows, i) ? "<td class=\"number\">" : "<td>", out);
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
    fputs("<table>\n<thead><tr>", out);
    for (size_t i = 0; i < rows->columns; i++)
        if (is_shown(rows, i)) {
            put_html(right_aligned(rows, i) ? "<th class=\"number\">" : "<th>", rows->name[i], "</th>", out);
            shown++;
        }
    fputs("</tr></thead>\n", out);
    for (size_t row = 0; row < rows->count; row++) {
        const bool starts = block < rows->blocks && rows->block[block].first == row;
        if (starts || row == 0)
            fputs(row ? "</tbody>\n<tbody>\n" : "<tbody>\n", out);
        if (starts) {
            fprintf(out, "<tr class=\"block\"><th colspan=\"%zu\">", shown);
            put_html("", rows->block[block++].label, "</th></tr>\n", out);
        }
        print_html_row(rows, row, out);
    }
    fputs("</tbody>\n</table>\n", out);
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

/* "-- scalars": variables of the first row. Otherwise the data block $name and name_count; with
 * a column "curve" a block for each run of equal curves, name_count of them. Only numbers go
 * into data blocks. */
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
        if (curve < rows->columns &&
            (row == 0 || !same(rows_value(rows, row, curve), rows_value(rows, row - 1, curve)))) {
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

/* Facts are printed apart from all other rows. */
static void print_nothing(const struct rows *rows, FILE *out)
{
    (void)rows, (void)out;
}

const struct query_print_format query_print_formats[] = {
    {"tsv", print_tsv, WORDS_EVERYTHING},
    {"csv", print_csv, WORDS_EVERYTHING},
    {"lines", print_lines, WORDS_NONE},
    {"latex", print_latex, WORDS_EVERYTHING},
    {"macros", print_macros, WORDS_NUMBERS},
    {"html", print_html, WORDS_EVERYTHING},
    {"gnuplot", print_gnuplot, WORDS_VALUES},
    {"facts", print_nothing, WORDS_NONE},
    {NULL, NULL, WORDS_NONE},
};

const struct query_print_format *query_print_find(const char *name)
{
    for (const struct query_print_format *format = query_print_formats; format->name; format++)
        if (strcmp(format->name, name) == 0)
            return format;
    return NULL;
}
