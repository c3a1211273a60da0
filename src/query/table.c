/* A table of texts, printed in aligned columns.
 * SPDX-License-Identifier: MIT */
#include "table.h"

#include "base/escape.h"
#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void table_column(struct table *table, const char *head, bool left, bool optional)
{
    if (table->columns < TABLE_COLUMNS_MAX)
        table->column[table->columns++] = (struct table_column){head, left, optional};
}

static void take(struct table *table, char *text)
{
    /* The room doubles: it is full whenever the number of texts is a power of two. */
    if ((table->texts & (table->texts - 1)) == 0)
        table->text = memory_grow(table->text, table->texts ? 2 * table->texts : 1, sizeof *table->text);
    table->text[table->texts++] = text;
}

void table_text(struct table *table, const char *text)
{
    take(table, escape_terminal(text));
}

void table_print(struct table *table, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    table_text(table, text);
}

void table_count(struct table *table, size_t count)
{
    if (count > 0)
        table_print(table, "%zu", count);
    else
        table_text(table, "");
}

/* Sets the width of each column; 0: the column is not printed. Returns the last column that is printed. */
static size_t measure(const struct table *table, size_t width[TABLE_COLUMNS_MAX])
{
    size_t last = 0;
    for (size_t c = 0; c < table->columns; c++) {
        const struct table_column *column = &table->column[c];
        width[c] = 0;
        for (size_t at = c; at < table->texts; at += table->columns) {
            const size_t wide = escape_width(table->text[at]);
            width[c] = wide > width[c] ? wide : width[c];
        }
        if (width[c] == 0 && column->optional)
            continue;
        const size_t head = escape_width(column->head);
        width[c] = head > width[c] ? head : width[c];
        last = c;
    }
    return last;
}

/* Prints a field. Nothing follows the text of the last field. */
static void put(const char *text, bool left, size_t width, bool last)
{
    const int pad = (int)(width - escape_width(text));
    if (left)
        printf("%s%*s", text, last ? 0 : pad + 2, "");
    else
        printf("%*s%s%s", pad, "", text, last ? "" : "  ");
}

/* A field of Markdown. A bar in its text would end the field, and other signs would change the type. */
static void put_markdown(const char *text)
{
    fputs("| ", stdout);
    for (; *text; text++)
        printf(strchr("|\\`*_<[", *text) ? "\\%c" : "%c", *text);
    putchar(' ');
}

static void print_markdown(const struct table *table, const size_t width[TABLE_COLUMNS_MAX])
{
    for (size_t c = 0; c < table->columns; c++)
        if (width[c] > 0)
            put_markdown(table->column[c].head);
    fputs("|\n", stdout);
    for (size_t c = 0; c < table->columns; c++)
        if (width[c] > 0)
            fputs(table->column[c].left ? "|---" : "|--:", stdout);
    fputs("|\n", stdout);
    for (size_t at = 0; at < table->texts; at++) {
        if (width[at % table->columns] > 0)
            put_markdown(table->text[at]);
        if ((at + 1) % table->columns == 0)
            fputs("|\n", stdout);
    }
}

static void print_aligned(const struct table *table, const size_t width[TABLE_COLUMNS_MAX], size_t last)
{
    for (size_t c = 0; c < table->columns; c++)
        if (width[c] > 0)
            put(table->column[c].head, table->column[c].left, width[c], c == last);
    putchar('\n');
    for (size_t at = 0; at < table->texts; at++) {
        const size_t c = at % table->columns;
        if (width[c] > 0)
            put(table->text[at], table->column[c].left, width[c], c == last);
        if (c + 1 == table->columns)
            putchar('\n');
    }
}

void table_end(struct table *table)
{
    size_t width[TABLE_COLUMNS_MAX];
    const size_t last = measure(table, width);
    if (table->markdown)
        print_markdown(table, width);
    else
        print_aligned(table, width, last);
    for (size_t at = 0; at < table->texts; at++)
        free(table->text[at]);
    free(table->text);
    *table = (struct table){.columns = 0};
}

void table_rows(const struct rows *rows, bool markdown)
{
    struct table table = {.markdown = markdown};
    for (size_t c = 0; c < rows->columns; c++)
        table_column(&table, rows->name[c],
                     c < strlen(rows->align) ? rows->align[c] == 'l' : !rows_right_aligned(rows, c), true);
    for (size_t row = 0; row < rows->count; row++)
        for (size_t c = 0; c < rows->columns; c++)
            table_text(&table, rows_value(rows, row, c) ? rows_value(rows, row, c) : "");
    table_end(&table);
}
