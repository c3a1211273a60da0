/* Rows as a table of LaTeX, in the largest type in which the table fits the width of a page.
 * SPDX-License-Identifier: MIT */
#include "query_print_latex.h"

#include "base/escape.h"
#include "base/memory.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Widths are in thousandths of an em of Computer Modern. A text wider than LONG_TEXT may be broken over lines; a
 * narrower one only if nothing else helps. */
enum { COLUMNS_MAX = 64, LONG_TEXT = 13000, SHORT_TEXT = 5000 };

/* The sizes of type, commands of the report's style, with the width of a thousand units in points: small fonts are
 * relatively wide. Then follow the space beside a column and the width of a line, in points. */
static const struct size {
    const char *name;
    double em, separation, line;
} sizes[] = {{"\\tablelarge", 9.25, 4.5, 473}, {"\\tablemiddle", 8.5, 4.5, 473}, {"\\tablesmall", 7.98, 3, 466}};
enum { SIZES = sizeof sizes / sizeof *sizes };

struct layout {
    size_t value[COLUMNS_MAX];   /* the width of the widest value */
    size_t mean[COLUMNS_MAX];    /* the mean width of all values */
    size_t heading[COLUMNS_MAX]; /* of the heading on one line */
    size_t word[COLUMNS_MAX];    /* of the longest word of the heading */
    size_t piece[COLUMNS_MAX];   /* of the longest piece that cannot be broken, of values and heading */
    char kind[COLUMNS_MAX];      /* r or l; L: the text may be broken over lines */
    size_t size;
    bool wraps;                /* headings take several lines */
    bool breaks;               /* so do texts of the kind L */
    double share[COLUMNS_MAX]; /* of the line, for the kind L */
};

static bool same(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

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

/* ---- the layout ---- */

/* The width of an ASCII character from the blank on, of a Russian letter, of any other character. */
static size_t letter_width(const char *text)
{
    static const short ascii[] = {
        333, 278, 500, 833, 500, 833, 778, 278,  389, 389, 500, 778, 278, 333, 278, 500, /* blank to / */
        500, 500, 500, 500, 500, 500, 500, 500,  500, 500, 278, 278, 778, 778, 778, 472, /* 0 to ? */
        778, 750, 708, 722, 764, 681, 653, 785,  750, 361, 514, 778, 625, 917, 750, 778, /* @ to O */
        681, 778, 736, 556, 722, 750, 750, 1028, 750, 750, 611, 278, 500, 278, 500, 500, /* P to _ */
        278, 500, 556, 444, 556, 444, 306, 500,  556, 278, 306, 528, 278, 833, 556, 500, /* ` to o */
        556, 528, 392, 394, 389, 556, 528, 722,  528, 528, 444, 500, 278, 500, 500};     /* p to ~ */
    static const char *const wide[] = {"ж", "м", "ш", "щ", "ю", "ы", "ф"};
    const unsigned char first = (unsigned char)*text;
    if (first >= ' ' && first - ' ' < (int)(sizeof ascii / sizeof *ascii))
        return (size_t)ascii[first - ' '];
    if (first == 0xc2 && (unsigned char)text[1] == 0xa0)
        return 333; /* the blank within a number */
    if (first != 0xd0 && first != 0xd1)
        return 560;
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
        if (strncmp(text, wide[i], 2) == 0)
            return 790;
    return first == 0xd0 && (unsigned char)text[1] < 0xb0 ? 790 : 560; /* capital letters come first */
}

static size_t width_of(const char *text, size_t bytes)
{
    size_t width = 0;
    for (size_t i = 0; i < bytes; i++)
        if (((unsigned char)text[i] & 0xc0) != 0x80)
            width += letter_width(text + i);
    return width;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* The kind of a column in the directive "align", as "rlL{0.2}"; 0 if the directive has no such column. */
static char aligned(const char *align, size_t column)
{
    for (; *align; align++) {
        if (*align == '{')
            align += strcspn(align, "}");
        else if (isalpha((unsigned char)*align) && column-- == 0)
            return *align;
    }
    return 0;
}

/* The longest piece of a text between the given characters, which belong to the piece before them. */
static size_t longest(const char *text, const char *between)
{
    size_t most = 0;
    for (size_t length; *text; text += length + (text[length] != '\0')) {
        length = strcspn(text, between);
        most = larger(most, width_of(text, length + (text[length] == '-')));
    }
    return most;
}

static void measure(const struct rows *rows, struct layout *layout)
{
    for (size_t i = 0; i < rows->columns; i++) {
        const char *name = rows->name[i];
        layout->heading[i] = width_of(name, strlen(name));
        layout->word[i] = layout->piece[i] = longest(name, " ");
        layout->value[i] = 500;
        size_t total = 0;
        for (size_t row = 0; row < rows->count; row++) {
            const char *text = rows_value(rows, row, i);
            const size_t width = text ? width_of(text, strlen(text)) : 500;
            total += width;
            layout->value[i] = larger(layout->value[i], width);
            layout->piece[i] = larger(layout->piece[i], text ? longest(text, " -") : 500);
        }
        layout->mean[i] = rows->count ? total / rows->count : 0;
        layout->kind[i] = aligned(rows->align, i);
        if (!layout->kind[i])
            layout->kind[i] = right_aligned(rows, i) ? 'r' : layout->value[i] > LONG_TEXT ? 'L' : 'l';
    }
}

/* The width of a column whose text is not broken. */
static size_t column_width(const struct layout *layout, size_t i)
{
    return larger(layout->value[i], layout->wraps ? layout->word[i] : layout->heading[i]);
}

/* The width of the table in points; without the columns whose text is broken, if there are such. */
static double table_width(const struct rows *rows, const struct layout *layout)
{
    const struct size *size = &sizes[layout->size];
    double total = -2 * size->separation;
    for (size_t i = 0; i < rows->columns; i++) {
        const bool broken = layout->breaks && layout->kind[i] == 'L';
        total += 2 * size->separation + (broken ? 0 : (double)column_width(layout, i) * size->em / 1000);
    }
    return total;
}

/* Gives the broken columns their shares of the room that the others leave: each what its longest piece needs, and of
 * the rest in proportion to `wanted`, the widths of its texts. False if a piece does not fit, or if a text would take
 * more than five lines. */
static bool divide_by(const struct rows *rows, struct layout *layout, const size_t *wanted)
{
    const struct size *size = &sizes[layout->size];
    const double fixed = table_width(rows, layout), room = fixed < size->line ? size->line - fixed : 0;
    const double points = 1.03 * size->em / 1000;
    double pieces = 0, needs = 0, weights = 0;
    for (size_t i = 0; i < rows->columns; i++)
        if (layout->kind[i] == 'L') {
            pieces += points * (double)layout->piece[i];
            needs += points * (double)(larger(layout->value[i], layout->piece[i]) - layout->piece[i]);
            weights += (double)(larger(wanted[i], layout->piece[i]) - layout->piece[i]);
        }
    const double rest = room > pieces ? room - pieces : 0;
    const bool enough = room >= pieces;
    bool fits = enough;
    for (size_t i = 0; i < rows->columns; i++) {
        if (layout->kind[i] != 'L')
            continue;
        const double piece = points * (double)layout->piece[i];
        const double need = points * (double)larger(layout->value[i], layout->piece[i]) - piece;
        const double weight = (double)(larger(wanted[i], layout->piece[i]) - layout->piece[i]);
        const double more = needs <= rest ? need : weights > 0 ? weight * rest / weights : 0;
        const double given = enough ? piece + more : piece * room / pieces;
        fits = fits && given * 5 > points * (double)layout->value[i];
        layout->share[i] = (given < 20 ? 20 : given) / size->line;
    }
    return fits;
}

/* How many lines the rows take, about. */
static size_t lines_of(const struct rows *rows, const struct layout *layout)
{
    const struct size *size = &sizes[layout->size];
    size_t lines = 0;
    for (size_t row = 0; row < rows->count; row++) {
        size_t most = 1;
        for (size_t i = 0; i < rows->columns; i++) {
            const char *text = rows_value(rows, row, i);
            if (text && layout->kind[i] == 'L')
                most = larger(most, 1 + (size_t)((double)width_of(text, strlen(text)) * size->em /
                                                 (1000 * layout->share[i] * size->line)));
        }
        lines += most;
    }
    return lines;
}

/* Room goes to the columns with the longest text, or to those with the longest texts on the whole: whichever of the two
 * makes a table of fewer lines. */
static bool divide(const struct rows *rows, struct layout *layout)
{
    struct layout other = *layout;
    const bool fits = divide_by(rows, layout, layout->value), other_fits = divide_by(rows, &other, other.mean);
    if (other_fits && (!fits || lines_of(rows, &other) < lines_of(rows, layout)))
        *layout = other;
    return fits || other_fits;
}

/* The largest type of a table: a long table takes smaller type, so that it takes fewer pages. */
static size_t largest_size(const struct rows *rows)
{
    return rows->count > 20 ? 2 : rows->count > 8 ? 1 : 0;
}

/* Chooses the largest type, but not before `first`, in which the table fits, with headings on one line if possible.
 * Smaller type is better than texts over several lines. Returns whether the table fits. */
static bool choose(const struct rows *rows, struct layout *layout, size_t first)
{
    for (layout->size = first; layout->size < SIZES; layout->size++) {
        layout->breaks = layout->wraps = false;
        if (table_width(rows, layout) <= sizes[layout->size].line)
            return true;
        layout->wraps = true;
        if (table_width(rows, layout) <= sizes[layout->size].line)
            return true;
    }
    for (size_t i = 0; i < rows->columns; i++)
        layout->breaks = layout->breaks || layout->kind[i] == 'L';
    for (layout->size = first; layout->size < SIZES && layout->breaks; layout->size++)
        if (table_width(rows, layout) < sizes[layout->size].line && divide(rows, layout))
            return true;
    layout->size = SIZES - 1;
    return false;
}

/* Lets shorter texts be broken too, against the wish of the query. */
static void break_more(const struct rows *rows, struct layout *layout)
{
    for (size_t i = 0; i < rows->columns; i++)
        if (layout->kind[i] == 'l' && layout->value[i] > SHORT_TEXT && !right_aligned(rows, i))
            layout->kind[i] = 'L';
}

/* ---- printing ---- */

/* The columns of a table that is printed in parts: the first `kept` ones and `count` from column `from` on. */
struct part {
    size_t kept, from, count;
};

static size_t column_of(const struct part *part, size_t at)
{
    return at < part->kept ? at : part->from + at - part->kept;
}

static void print_columns(const struct layout *layout, const struct part *part, FILE *out)
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
            if (width_of(name, more) > width)
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

static void print_header(const struct rows *rows, const struct layout *layout, const struct part *part, FILE *out)
{
    for (size_t at = 0; at < part->kept + part->count; at++) {
        const size_t i = column_of(part, at);
        fputs(at ? " & " : "", out);
        if (layout->wraps && layout->heading[i] > column_width(layout, i) &&
            !(layout->breaks && layout->kind[i] == 'L'))
            print_wrapped(rows->name[i], column_width(layout, i), layout->kind[i] == 'r', out);
        else
            escape_put(out, escape_latex, rows->name[i]);
    }
    fputs(" \\\\\n\\midrule\n", out);
}

/* Whether two rows that follow each other are of one group. */
static bool repeats(const struct rows *rows, size_t row)
{
    return row > 0 && row < rows->count && same(rows_value(rows, row, 0), rows_value(rows, row - 1, 0));
}

static bool has_groups(const struct rows *rows)
{
    for (size_t row = 1; row < rows->count; row++)
        if (repeats(rows, row))
            return true;
    return false;
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

static bool is_empty(const struct rows *rows, size_t row, const struct part *part)
{
    for (size_t i = part->from; i < part->from + part->count; i++)
        if (rows_value(rows, row, i))
            return false;
    return part->count > 0;
}

static void print_rows(const struct rows *rows, const struct part *part, FILE *out)
{
    const bool spaced = rows->group && has_groups(rows);
    for (size_t row = 0; row < rows->count; row++) {
        const bool repeated = rows->group && repeats(rows, row);
        print_label(rows, row, part->kept + part->count, out);
        if (is_empty(rows, row, part))
            continue;
        /* A group of several rows stands apart from what is before and behind it. */
        if (spaced && row && !repeated && (repeats(rows, row - 1) || repeats(rows, row + 1)))
            fputs("\\addlinespace\n", out);
        for (size_t at = 0; at < part->kept + part->count; at++) {
            const char *text = rows_value(rows, row, column_of(part, at));
            fputs(at ? " & " : "", out);
            /* LaTeX would take a bracket or a star behind the end of the row before as an option of that end. */
            if (at == 0 && text && (*text == '[' || *text == '*' || (unsigned char)*text >= 0x80))
                fputs("{}", out);
            if (at > 0 || !repeated)
                escape_put(out, escape_latex, text ? text : "–");
        }
        fputs(rows->count <= 20 && row + 1 < rows->count ? " \\\\*\n" : " \\\\\n", out);
    }
}

/* Whether a value has the mark of a time in doubt. */
static bool has_dagger(const struct rows *rows, const struct part *part)
{
    for (size_t row = 0; row < rows->count; row++)
        for (size_t at = 0; at < part->kept + part->count; at++) {
            const char *text = rows_value(rows, row, column_of(part, at));
            if (text && strstr(text, "†"))
                return true;
        }
    return false;
}

static void print_part(const struct rows *rows, const struct layout *layout, const struct part *part, FILE *out)
{
    const struct size *size = &sizes[layout->size];
    char separation[24]; /* SQLite's printf knows no locale */
    sqlite3_snprintf(sizeof separation, separation, "%.1f", size->separation);
    fprintf(out,
            "\\begingroup%s\n\\setlength{\\tabcolsep}{%spt}\\setlength{\\LTcapwidth}{\\linewidth}\n"
            "\\begin{longtable}{@{}",
            size->name, separation);
    print_columns(layout, part, out);
    fprintf(out, "@{}}\n%s\\toprule\n", part->from == part->kept ? "\\caption{\\tilelabcaption}\\\\\n" : "");
    print_header(rows, layout, part, out);
    fprintf(out, "\\endfirsthead\n\\tablecontinued{%zu}\\toprule\n", part->kept + part->count);
    print_header(rows, layout, part, out);
    fputs("\\endhead\n\\bottomrule\n", out);
    if (has_dagger(rows, part))
        fprintf(out, "\\doubtrow{%zu}", part->kept + part->count);
    fputs("\\endlastfoot\n", out);
    print_rows(rows, part, out);
    fputs("\\end{longtable}\n\\endgroup\n", out);
}

/* How many pivoted columns from column `from` on fit on a line beside the `kept` ones; at least one. */
static size_t columns_that_fit(const struct rows *rows, const struct layout *layout, size_t kept, size_t from)
{
    const struct size *size = &sizes[SIZES - 1];
    double used = 0;
    size_t at = 0;
    for (; at < rows->columns; at = at + 1 == kept ? from : at + 1) {
        used += (double)column_width(layout, at) * size->em / 1000 + 2 * size->separation;
        if (at > from && used > size->line)
            break;
    }
    return at - from;
}

void query_print_latex(const struct rows *rows, FILE *out)
{
    if (rows->count == 0 || rows->columns > COLUMNS_MAX)
        return;
    struct layout layout = {0};
    measure(rows, &layout);
    size_t pivoted = 0;
    while (pivoted < rows->columns && rows->pivot[1][0] && is_number(rows->name[rows->columns - 1 - pivoted]))
        pivoted++;
    bool fits = choose(rows, &layout, largest_size(rows));
    if (!fits && pivoted == 0) {
        break_more(rows, &layout);
        fits = choose(rows, &layout, SIZES - 1);
    }
    if (fits || pivoted == 0) {
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
