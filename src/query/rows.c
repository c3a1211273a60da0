/* The rows of one SQL statement, as text, and their pivot.
 * SPDX-License-Identifier: MIT */
#include "rows.h"

#include "base/memory.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

int rows_read(sqlite3_stmt *statement, struct rows *rows)
{
    rows->columns = (size_t)sqlite3_column_count(statement);
    rows->name = memory_allocate(rows->columns, sizeof *rows->name);
    rows->numeric = memory_allocate(rows->columns, 1);
    for (size_t i = 0; i < rows->columns; i++) {
        rows->name[i] = memory_copy(sqlite3_column_name(statement, (int)i));
        rows->numeric[i] = 1;
    }
    size_t room = 0;
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        if (rows->count == room) {
            room = room ? 2 * room : 64;
            rows->value = memory_grow(rows->value, room * rows->columns, sizeof *rows->value);
        }
        for (size_t i = 0; i < rows->columns; i++) {
            const int type = sqlite3_column_type(statement, (int)i);
            const char *text = (const char *)sqlite3_column_text(statement, (int)i);
            rows->value[rows->count * rows->columns + i] = text ? memory_copy(text) : NULL;
            if (type != SQLITE_NULL && type != SQLITE_INTEGER && type != SQLITE_FLOAT)
                rows->numeric[i] = 0;
        }
        rows->count++;
    }
    return code == SQLITE_DONE ? 0 : -1;
}

const char *rows_value(const struct rows *rows, size_t row, size_t column)
{
    return rows->value[row * rows->columns + column];
}

size_t rows_column(const struct rows *rows, const char *name)
{
    size_t i = 0;
    while (i < rows->columns && strcmp(rows->name[i], name) != 0)
        i++;
    return i;
}

bool rows_is_number(const char *text)
{
    return isdigit((unsigned char)*text) || ((*text == '-' || *text == '+') && isdigit((unsigned char)text[1]));
}

bool rows_right_aligned(const struct rows *rows, size_t column)
{
    bool numbers = true;
    for (size_t row = 0; row < rows->count && numbers; row++)
        numbers = !rows_value(rows, row, column) || rows_is_number(rows_value(rows, row, column));
    return numbers || rows->numeric[column];
}

bool rows_repeats(const struct rows *rows, size_t row, size_t column)
{
    if (row == 0 || row >= rows->count)
        return false;
    for (size_t b = 0; b < rows->blocks; b++)
        if (rows->block[b].first == row)
            return false;
    const char *value = rows_value(rows, row, column), *before = rows_value(rows, row - 1, column);
    return value && before ? strcmp(value, before) == 0 : value == before;
}

bool rows_block_lacks(const struct rows *rows, size_t row, size_t column)
{
    size_t first = 0, end = rows->count;
    for (size_t b = 0; b < rows->blocks; b++)
        if (rows->block[b].first <= row)
            first = rows->block[b].first;
        else if (rows->block[b].first < end)
            end = rows->block[b].first;
    while (first < end && !rows_value(rows, first, column))
        first++;
    return first == end;
}

void rows_free(struct rows *rows)
{
    for (size_t i = 0; i < rows->count * rows->columns; i++)
        free(rows->value[i]);
    for (size_t i = 0; i < rows->columns; i++)
        free(rows->name[i]);
    for (size_t b = 0; b < rows->blocks; b++)
        free(rows->block[b].label);
    free(rows->block);
    free(rows->value);
    free(rows->name);
    free(rows->numeric);
    memset(rows, 0, sizeof *rows);
}

/* ---- pivot ---- */

/* Different texts, numbered in the order in which they came. */
struct texts {
    char **text;
    size_t count;
};

/* The number of a text, which is added if it is new. */
static size_t number_of(struct texts *texts, const char *text)
{
    for (size_t i = 0; i < texts->count; i++)
        if (strcmp(texts->text[i], text) == 0)
            return i;
    texts->text = memory_grow(texts->text, texts->count + 1, sizeof *texts->text);
    texts->text[texts->count] = memory_copy(text);
    return texts->count++;
}

static void texts_free(struct texts *texts)
{
    for (size_t i = 0; i < texts->count; i++)
        free(texts->text[i]);
    free(texts->text);
}

/* The values of a row except those of the columns `key` and `value`, as one text by which rows are compared. */
static char *identity(const struct rows *rows, size_t row, size_t key, size_t value)
{
    sqlite3_str *text = sqlite3_str_new(NULL);
    for (size_t i = 0; i < rows->columns; i++)
        if (i != key && i != value)
            sqlite3_str_appendf(text, "%Q,", rows_value(rows, row, i));
    char *finished = sqlite3_str_finish(text), *copy = memory_copy(finished ? finished : "");
    sqlite3_free(finished);
    return copy;
}

/* Copies one column of `from` into the column `at` of `to`. Row r goes to row to_row[r], and `shift[r]` columns further
 * (NULL: none). The first value that is not NULL stays. */
static void copy_column(const struct rows *from, size_t column, struct rows *to, size_t at, const size_t *to_row,
                        const size_t *shift)
{
    for (size_t row = 0; row < from->count; row++) {
        char **value = &to->value[to_row[row] * to->columns + at + (shift ? shift[row] : 0)];
        if (!*value && rows_value(from, row, column))
            *value = memory_copy(rows_value(from, row, column));
    }
}

void rows_pivot(struct rows *rows)
{
    const size_t key = rows_column(rows, rows->pivot[0]), value = rows_column(rows, rows->pivot[1]);
    if (key == rows->columns || value == rows->columns || rows->count == 0)
        return;
    struct texts keys = {0}, identities = {0};
    size_t *to_row = memory_allocate(rows->count, sizeof *to_row);
    size_t *to_key = memory_allocate(rows->count, sizeof *to_key);
    for (size_t row = 0; row < rows->count; row++) {
        char *text = identity(rows, row, key, value);
        to_row[row] = number_of(&identities, text);
        to_key[row] = number_of(&keys, rows_value(rows, row, key) ? rows_value(rows, row, key) : "");
        free(text);
    }
    struct rows to = *rows;
    const size_t kept = rows->columns - 2;
    to.columns = kept + keys.count;
    to.count = identities.count;
    to.name = memory_allocate(to.columns, sizeof *to.name);
    to.numeric = memory_allocate(to.columns, 1);
    to.value = memory_allocate(to.count * to.columns, sizeof *to.value);
    for (size_t i = 0, at = 0; i < rows->columns; i++) {
        if (i == key || i == value)
            continue;
        to.name[at] = memory_copy(rows->name[i]);
        to.numeric[at] = rows->numeric[i];
        copy_column(rows, i, &to, at++, to_row, NULL);
    }
    for (size_t i = 0; i < keys.count; i++) {
        to.name[kept + i] = memory_copy(keys.text[i]);
        to.numeric[kept + i] = rows->numeric[value];
    }
    copy_column(rows, value, &to, kept, to_row, to_key);
    texts_free(&keys);
    texts_free(&identities);
    free(to_row);
    free(to_key);
    rows_free(rows);
    *rows = to;
}

/* ---- columns without values ---- */

static bool is_empty(const struct rows *rows, size_t column)
{
    for (size_t row = 0; row < rows->count; row++)
        if (rows_value(rows, row, column))
            return false;
    return true;
}

/* The length of a column's letter and of its width in a directive such as "rlL{0.2}". */
static size_t alignment_length(const char *at)
{
    if (*at == '\0' || at[1] != '{')
        return *at != '\0';
    const size_t width = strcspn(at + 1, "}");
    return 1 + width + (at[1 + width] != '\0');
}

static void drop_alignment(char *align, size_t column)
{
    char *at = align;
    while (column-- > 0)
        at += alignment_length(at);
    const char *rest = at + alignment_length(at);
    memmove(at, rest, strlen(rest) + 1);
}

void rows_drop_empty(struct rows *rows)
{
    size_t kept = 0;
    char *empty = memory_allocate(rows->columns + 1, 1);
    for (size_t i = 0; i < rows->columns; i++)
        empty[i] = rows->count > 0 && is_empty(rows, i);
    for (size_t row = 0; row < rows->count; row++)
        for (size_t i = 0; i < rows->columns; i++)
            if (!empty[i])
                rows->value[kept++] = rows->value[row * rows->columns + i];
    kept = 0;
    for (size_t i = 0; i < rows->columns; i++) {
        if (empty[i]) {
            free(rows->name[i]);
            drop_alignment(rows->align, kept);
            continue;
        }
        rows->name[kept] = rows->name[i];
        rows->numeric[kept++] = rows->numeric[i];
    }
    rows->columns = kept;
    free(empty);
}

/* ---- blocks ---- */

/* The size that a column is named after, "512" or "N = 512"; -1: none. */
static long long size_of(const char *name)
{
    const char *const digits = strncmp(name, "N = ", 4) == 0 ? name + 4 : name;
    return *digits && digits[strspn(digits, "0123456789")] == '\0' ? strtoll(digits, NULL, 10) : -1;
}

/* Where a new column belongs: sizes in their order at the end, other names before them. */
static size_t place_of(const struct rows *rows, const char *name)
{
    const long long size = size_of(name);
    size_t at = rows->columns;
    while (at > 0 && size_of(rows->name[at - 1]) > size)
        at--;
    return at;
}

/* Makes room for a column of NULLs. */
static void insert_column(struct rows *rows, size_t at, const char *name)
{
    struct rows to = *rows;
    to.columns = rows->columns + 1;
    to.name = memory_allocate(to.columns, sizeof *to.name);
    to.numeric = memory_allocate(to.columns, 1);
    to.value = memory_allocate(to.count * to.columns + 1, sizeof *to.value);
    for (size_t i = 0; i < to.columns; i++) {
        const size_t from = i > at ? i - 1 : i;
        to.name[i] = i == at ? memory_copy(name) : rows->name[from];
        to.numeric[i] = i == at ? 1 : rows->numeric[from];
        for (size_t row = 0; row < to.count; row++)
            to.value[row * to.columns + i] = i == at ? NULL : rows->value[row * rows->columns + from];
    }
    free(rows->value);
    free(rows->name);
    free(rows->numeric);
    *rows = to;
}

/* The column of `in` that stands for column `i` of `of`, or the number of columns. A table may have several columns of
 * one name: the second of one table stands for the second of the other. */
static size_t same_column(const struct rows *in, const struct rows *of, size_t i)
{
    size_t before = 0, at = 0;
    for (size_t k = 0; k < i; k++)
        before += strcmp(of->name[k], of->name[i]) == 0;
    for (; at < in->columns; at++)
        if (strcmp(in->name[at], of->name[i]) == 0 && before-- == 0)
            break;
    return at;
}

static void align_columns(struct rows *rows, const struct rows *with)
{
    for (size_t i = 0; i < with->columns; i++)
        if (same_column(rows, with, i) == rows->columns)
            insert_column(rows, place_of(rows, with->name[i]), with->name[i]);
}

static void start_block(struct rows *rows, const char *label, size_t first)
{
    rows->block = memory_grow(rows->block, rows->blocks + 1, sizeof *rows->block);
    rows->block[rows->blocks++] = (struct rows_block){memory_copy(label), first};
}

void rows_append(struct rows *rows, struct rows *more, const char *label)
{
    if (more->count > 0) {
        if (rows->columns == 0) {
            *rows = *more;
            *more = (struct rows){0};
            start_block(rows, label, 0);
            return;
        }
        start_block(rows, label, rows->count);
        align_columns(rows, more);
        rows->value = memory_grow(rows->value, (rows->count + more->count) * rows->columns, sizeof *rows->value);
        for (size_t i = 0; i < rows->columns; i++) {
            const size_t from = same_column(more, rows, i);
            for (size_t row = 0; row < more->count; row++) {
                const char *text = from < more->columns ? rows_value(more, row, from) : NULL;
                rows->value[(rows->count + row) * rows->columns + i] = text ? memory_copy(text) : NULL;
            }
            rows->numeric[i] = rows->numeric[i] && (from == more->columns || more->numeric[from]);
        }
        rows->count += more->count;
    }
    rows_free(more);
}
