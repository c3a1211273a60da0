/* Rows as a table of LaTeX.
 * SPDX-License-Identifier: MIT */
#include "query_print_latex.h"

#include "query_layout.h"
#include "query_marks.h"
#include "base/bind.h"
#include "base/escape.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* The columns of a table that is printed in parts: the first `kept` ones and `count` from column `from` on. */
struct part {
    size_t kept, from, count;
};

static size_t column_of(const struct part *part, size_t at)
{
    return at < part->kept ? at : part->from + at - part->kept;
}

static void print_columns(const struct query_layout *layout, const struct part *part, FILE *out)
{
    for (size_t at = 0; at < part->kept + part->count; at++) {
        const size_t i = column_of(part, at);
        char share[24];
        sqlite3_snprintf(sizeof share, share, "L{%.3f}", layout->share[i]);
        if (layout->kind[i] == 'L')
            fputs(layout->breaks ? share : "l", out);
        else
            putc(layout->kind[i], out);
    }
}

/* Prints a heading over several lines, each as wide as the values or the longest word. */
static void print_wrapped(const char *name, size_t width, bool right, FILE *out)
{
    fprintf(out, "\\shortstack[%c]{", right ? 'r' : 'l');
    while (*name) {
        size_t length = strcspn(name, " ");
        for (size_t more = length; name[more] == ' ';) {
            more += 1 + strcspn(name + more + 1, " ");
            if (query_layout_text_width(name, more) > width)
                break;
            length = more;
        }
        char *part = memory_print("%.*s", (int)length, name);
        escape_put(out, escape_latex, part);
        free(part);
        name += length + (name[length] == ' ');
        fputs(*name ? "\\\\" : "", out);
    }
    putc('}', out);
}

static void print_header(const struct rows *rows, const struct query_layout *layout, const struct part *part, FILE *out)
{
    for (size_t at = 0; at < part->kept + part->count; at++) {
        const size_t i = column_of(part, at);
        fputs(at ? " & " : "", out);
        if (layout->wraps && layout->heading[i] > query_layout_column_width(layout, i) &&
            !(layout->breaks && layout->kind[i] == 'L'))
            print_wrapped(rows->name[i], query_layout_column_width(layout, i), layout->kind[i] == 'r', out);
        else
            escape_put(out, escape_latex, rows->name[i]);
    }
    fputs(" \\\\\n\\midrule\n", out);
}

/* Whether two rows that follow each other are of one group. */
static bool repeats(const struct rows *rows, size_t row)
{
    return rows_repeats(rows, row, 0);
}

static bool has_groups(const struct rows *rows)
{
    for (size_t row = 1; row < rows->count; row++)
        if (repeats(rows, row))
            return true;
    return false;
}

/* Prints the label of the block that begins at the row. Returns whether there is one. */
static bool print_label(const struct rows *rows, size_t row, size_t columns, FILE *out)
{
    bool labelled = false;
    for (size_t b = 0; b < rows->blocks; b++)
        if (rows->block[b].first == row && rows->blocks > 1) {
            labelled = true;
            fprintf(out, "%s\\multicolumn{%zu}{@{}l}{\\textit{", row > 0 ? "\\addlinespace\n" : "", columns);
            escape_put(out, escape_latex, rows->block[b].label);
            fputs("}}\\\\*\n", out);
        }
    return labelled;
}

static bool is_empty(const struct rows *rows, size_t row, const struct part *part)
{
    for (size_t i = part->from; i < part->from + part->count; i++)
        if (rows_value(rows, row, i))
            return false;
    return part->count > 0;
}

/* How many rows a page break leaves on each side at least, and how many rows of a group it leaves together: only the
 * first row of a group tells its name. */
enum { TOGETHER = 5, WHOLE_GROUP = 10 };

/* Whether the next row is of the same group, and this group is too short for a page break. */
static bool holds_next(const struct rows *rows, size_t row)
{
    if (!rows->group || row + 1 >= rows->count || !repeats(rows, row + 1))
        return false;
    size_t first = row, last = row + 1;
    while (first > 0 && repeats(rows, first))
        first--;
    while (last + 1 < rows->count && repeats(rows, last + 1))
        last++;
    return last - first < WHOLE_GROUP;
}

/* Prints what may be a text of several lines. */
static void print_bound(const char *text, FILE *out)
{
    char *const escaped = escape_latex(text), *const bound = bind_blanks(escaped, "~", true);
    fputs(bound, out);
    free(bound);
    free(escaped);
}

/* Prints a value. A number below 0.01 has a power of ten, and so has one of six digits or more that was rounded to
 * three. Marks may follow it, clear of the exponent. */
static void print_value(const char *text, FILE *out)
{
    const size_t whole = strspn(text, "0123456789");
    const bool has_fraction = text[whole] == '.' || text[whole] == ',';
    const size_t length = whole + (has_fraction ? 1 + strspn(text + whole + 1, "0123456789") : 0);
    const char *digits = text + strspn(text, "0.,");
    int exponent = 0, count = 0;
    if (whole >= 6 && length == whole && digits == text && strspn(text + 3, "0") == whole - 3) {
        exponent = (int)whole - 1;
        count = 3;
    } else if (whole == 1 && *text == '0' && digits >= text + 4 && digits < text + length) {
        exponent = -(int)(digits - text - 1);
        count = (int)(text + length - digits);
    }
    if (exponent == 0 || (text[length] && !query_marks_begin(text + length))) {
        print_bound(text, out);
        return;
    }
    fprintf(out, "\\tenpower{%c}{%.*s}{%d}%s", *digits, count - 1, digits + 1, exponent, text[length] ? "\\," : "");
    escape_put(out, escape_latex, text + length);
}

/* What stands for a value that there is not: nothing in a column that the row's whole block lacks. */
static const char *missing(const struct rows *rows, size_t row, size_t column)
{
    return rows->blocks > 1 && rows_block_lacks(rows, row, column) ? "" : "–";
}

static void print_rows(const struct rows *rows, const struct part *part, FILE *out)
{
    const bool spaced = rows->group && has_groups(rows);
    for (size_t row = 0; row < rows->count; row++) {
        const bool repeated = rows->group && repeats(rows, row);
        const bool labelled = print_label(rows, row, part->kept + part->count, out);
        if (is_empty(rows, row, part))
            continue;
        /* A group of several rows stands apart from what is before and behind it. */
        if (spaced && row && !labelled && !repeated && (repeats(rows, row - 1) || repeats(rows, row + 1)))
            fputs("\\addlinespace\n", out);
        for (size_t at = 0; at < part->kept + part->count; at++) {
            const size_t column = column_of(part, at);
            const char *const text = rows_value(rows, row, column);
            fputs(at ? " & " : "", out);
            /* LaTeX would take a bracket or a star behind the end of the row before as an option of that end. */
            if (at == 0 && text && (*text == '[' || *text == '*' || (unsigned char)*text >= 0x80))
                fputs("{}", out);
            if (at > 0 || !repeated)
                print_value(text ? text : missing(rows, row, column), out);
        }
        const bool may_break = row + 1 >= TOGETHER && row + 1 + TOGETHER <= rows->count && !holds_next(rows, row);
        fputs(may_break || row + 1 == rows->count ? " \\\\\n" : " \\\\*\n", out);
    }
}

static void print_part(const struct rows *rows, const struct query_layout *layout, const struct part *part, FILE *out)
{
    const struct query_layout_size *size = &query_layout_sizes[layout->size];
    char separation[24]; /* SQLite's printf knows no locale */
    sqlite3_snprintf(sizeof separation, separation, "%.1f", size->separation);
    fprintf(out,
            "\\par\\begingroup%s\n\\setlength{\\tabcolsep}{%spt}\\setlength{\\LTcapwidth}{\\linewidth}\n"
            "\\begin{longtable}{@{}",
            size->name, separation);
    print_columns(layout, part, out);
    fprintf(out, "@{}}\n%s\\toprule\n", part->from == part->kept ? "\\caption{\\tilelabcaption}\\\\\n" : "");
    print_header(rows, layout, part, out);
    fprintf(out, "\\endfirsthead\n\\tablecontinued{%zu}\\toprule\n", part->kept + part->count);
    print_header(rows, layout, part, out);
    fputs("\\endhead\n\\bottomrule\n", out);
    /* The foot of each part, not of the last one alone: else the last foot may stand on a page without a row. */
    fputs("\\endfoot\n", out);
    print_rows(rows, part, out);
    fputs("\\end{longtable}\n\\endgroup\n", out);
}

/* How many pivoted columns from column `from` on fit on a line beside the `kept` ones; at least one. */
static size_t columns_that_fit(const struct rows *rows, const struct query_layout *layout, size_t kept, size_t from)
{
    const struct query_layout_size *size = &query_layout_sizes[QUERY_LAYOUT_SIZES - 1];
    double used = 0;
    size_t at = 0;
    for (; at < rows->columns; at = at + 1 == kept ? from : at + 1) {
        used += (double)query_layout_column_width(layout, at) * size->em / 1000 + 2 * size->separation;
        if (at > from && used > size->line)
            break;
    }
    return at - from;
}

void query_print_latex(const struct rows *rows, FILE *out)
{
    if (rows->count == 0 || rows->columns > QUERY_LAYOUT_COLUMNS_MAX)
        return;
    size_t pivoted = 0;
    while (pivoted < rows->columns && rows->pivot[1][0] && rows_is_number(rows->name[rows->columns - 1 - pivoted]))
        pivoted++;
    struct query_layout layout;
    if (query_layout_make(rows, &layout, pivoted == 0) || pivoted == 0) {
        print_part(rows, &layout, &(struct part){0, 0, rows->columns}, out);
        return;
    }
    /* Pivoted columns that do not fit on a line follow in further tables, one below the other. */
    struct part part = {.kept = rows->columns - pivoted};
    layout.breaks = false;
    for (part.from = part.kept; part.from < rows->columns; part.from += part.count) {
        part.count = columns_that_fit(rows, &layout, part.kept, part.from);
        print_part(rows, &layout, &part, out);
    }
}
