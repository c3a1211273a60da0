/* The layout of a table, from the widths of its texts.
 * SPDX-License-Identifier: MIT */
#include "query_layout.h"

#include "base/bind.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const struct query_layout_size query_layout_sizes[QUERY_LAYOUT_SIZES] = {{"\\tablelarge", 9.25, 4.5, 473},
                                                                         {"\\tablemiddle", 8.5, 4.5, 473},
                                                                         {"\\tablesmall", 7.98, 3, 466},
                                                                         {"\\tablesmall", 7.98, 2, 466}};

/* A text wider than LONG_TEXT may be broken over lines; a narrower one only if nothing else helps. */
enum { LONG_TEXT = 13000, SHORT_TEXT = 5000 };

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

size_t query_layout_text_width(const char *text, size_t bytes)
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
        most = larger(most, query_layout_text_width(text, length + (text[length] == '-')));
    }
    return most;
}

/* The longest piece of a value. A value is printed with blanks that bind, and lines break behind hyphens too. */
static size_t longest_of_value(const char *text)
{
    char *const bound = bind_blanks(text, "\u00a0", false);
    const size_t most = longest(bound, " -");
    free(bound);
    return most;
}

static void measure(const struct rows *rows, struct query_layout *layout)
{
    for (size_t i = 0; i < rows->columns; i++) {
        const char *name = rows->name[i];
        layout->heading[i] = query_layout_text_width(name, strlen(name));
        layout->word[i] = layout->piece[i] = longest(name, " ");
        layout->value[i] = 500;
        size_t total = 0;
        for (size_t row = 0; row < rows->count; row++) {
            const char *text = rows_value(rows, row, i);
            const size_t width = text ? query_layout_text_width(text, strlen(text)) : 500;
            total += width;
            layout->value[i] = larger(layout->value[i], width);
            layout->piece[i] = larger(layout->piece[i], text ? longest_of_value(text) : 500);
        }
        layout->mean[i] = rows->count ? total / rows->count : 0;
        layout->kind[i] = aligned(rows->align, i);
        if (!layout->kind[i])
            layout->kind[i] = rows_right_aligned(rows, i) ? 'r' : layout->value[i] > LONG_TEXT ? 'L' : 'l';
    }
}

size_t query_layout_column_width(const struct query_layout *layout, size_t i)
{
    return larger(layout->value[i], layout->wraps ? layout->word[i] : layout->heading[i]);
}

/* The width of the table in points; without the columns whose text is broken, if there are such. */
static double table_width(const struct rows *rows, const struct query_layout *layout)
{
    const struct query_layout_size *size = &query_layout_sizes[layout->size];
    double total = -2 * size->separation;
    for (size_t i = 0; i < rows->columns; i++) {
        const bool broken = layout->breaks && layout->kind[i] == 'L';
        total += 2 * size->separation + (broken ? 0 : (double)query_layout_column_width(layout, i) * size->em / 1000);
    }
    return total;
}

/* Gives the broken columns their shares of the room that the others leave: each what its longest piece needs, and of
 * the rest in proportion to `wanted`, the widths of its texts. False if a piece does not fit, or if a text would take
 * more than five lines. */
static bool divide_by(const struct rows *rows, struct query_layout *layout, const size_t *wanted)
{
    const struct query_layout_size *size = &query_layout_sizes[layout->size];
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
static size_t lines_of(const struct rows *rows, const struct query_layout *layout)
{
    const struct query_layout_size *size = &query_layout_sizes[layout->size];
    size_t lines = 0;
    for (size_t row = 0; row < rows->count; row++) {
        size_t most = 1;
        for (size_t i = 0; i < rows->columns; i++) {
            const char *text = rows_value(rows, row, i);
            if (text && layout->kind[i] == 'L')
                most = larger(most, 1 + (size_t)((double)query_layout_text_width(text, strlen(text)) * size->em /
                                                 (1000 * layout->share[i] * size->line)));
        }
        lines += most;
    }
    return lines;
}

/* Room goes to the columns with the longest text, or to those with the longest texts on the whole: whichever of the two
 * makes a table of fewer lines. */
static bool divide(const struct rows *rows, struct query_layout *layout)
{
    struct query_layout other = *layout;
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
static bool choose(const struct rows *rows, struct query_layout *layout, size_t first)
{
    for (layout->size = first; layout->size < QUERY_LAYOUT_SIZES; layout->size++) {
        layout->breaks = layout->wraps = false;
        if (table_width(rows, layout) <= query_layout_sizes[layout->size].line)
            return true;
        layout->wraps = true;
        if (table_width(rows, layout) <= query_layout_sizes[layout->size].line)
            return true;
    }
    for (size_t i = 0; i < rows->columns; i++)
        layout->breaks = layout->breaks || layout->kind[i] == 'L';
    /* Of the types in which the table fits, the one that makes the lowest table. */
    struct query_layout lowest = *layout;
    double least = 0;
    for (layout->size = first; layout->size < QUERY_LAYOUT_SIZES && layout->breaks; layout->size++) {
        const struct query_layout_size *size = &query_layout_sizes[layout->size];
        if (table_width(rows, layout) >= size->line || !divide(rows, layout))
            continue;
        const double height = (double)lines_of(rows, layout) * size->em;
        if (least == 0 || height < least) {
            least = height;
            lowest = *layout;
        }
    }
    if (least > 0) {
        *layout = lowest;
        return true;
    }
    layout->size = QUERY_LAYOUT_SIZES - 1;
    return false;
}

/* Lets shorter texts be broken too, against the wish of the query. */
static void break_more(const struct rows *rows, struct query_layout *layout)
{
    for (size_t i = 0; i < rows->columns; i++)
        if (layout->kind[i] == 'l' && layout->value[i] > SHORT_TEXT && !rows_right_aligned(rows, i))
            layout->kind[i] = 'L';
}

bool query_layout_make(const struct rows *rows, struct query_layout *layout, bool may_break)
{
    *layout = (struct query_layout){0};
    measure(rows, layout);
    if (choose(rows, layout, largest_size(rows)))
        return true;
    if (!may_break)
        return false;
    break_more(rows, layout);
    return choose(rows, layout, QUERY_LAYOUT_SIZES - 1);
}
