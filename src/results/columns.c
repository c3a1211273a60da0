/* The columns of the CSV files: results.def as tables, and the text of each kind of column.
 * SPDX-License-Identifier: MIT */
#include "columns.h"

#include "cell.h"
#include "registry.h"
#include "base/number.h"
#include "base/text.h"

#include <string.h>

/* Where a column of each kind lies in a row: an offset and a size. */
#define IN(type, field) offsetof(struct type, field), sizeof(((struct type *)0)->field)
#define PLACE_EXPERIMENT(type, name, index) 0, 0
#define PLACE_OWNER(type, name, index) 0, 0
#define PLACE_PROBLEM(type, name, index) 0, 0
#define PLACE_VARIANT(type, name, index) 0, 0
#define PLACE_BACKEND(type, name, index) 0, 0
#define PLACE_ID(type, name, index) IN(type, id)
#define PLACE_HASH(type, name, index) IN(type, provenance[index])
#define PLACE_TEXT(type, name, index) IN(type, name)
#define PLACE_STATUS(type, name, index) IN(type, name)
#define PLACE_FLAGS(type, name, index) IN(type, name)
#define PLACE_COUNT(type, name, index) IN(type, name)
#define PLACE_INTEGER(type, name, index) IN(type, name)
#define PLACE_TRISTATE(type, name, index) IN(type, name)
#define PLACE_REAL(type, name, index) IN(type, name)

const struct column columns_result[] = {
#define RESULT(kind, name, size, rows, unit, meaning) \
    {#name, COLUMN_##kind, PLACE_##kind(result, name, size), unit, meaning},
#define RESULT_AXIS(field, key, meaning) \
    {key, COLUMN_AXIS, offsetof(struct result, cell.field), AXIS_##field, "", meaning},
#include "results.def"
};

const struct column columns_sample[] = {
#define SAMPLE(kind, name, unit, meaning) {#name, COLUMN_##kind, PLACE_##kind(sample, name, 0), unit, meaning},
#include "results.def"
};

const struct column columns_history[] = {
#define HISTORY(kind, name, unit, meaning) {#name, COLUMN_##kind, 0, 0, unit, meaning},
#include "results.def"
};

const struct column columns_timeline[] = {
#define TIMELINE(kind, name, unit, meaning) {#name, COLUMN_##kind, 0, 0, unit, meaning},
#include "results.def"
};

static size_t print_text(char *to, const char *text)
{
    const size_t length = strnlen(text, COLUMN_TEXT_SIZE - 1);
    memcpy(to, text, length);
    to[length] = '\0';
    return length;
}

static size_t print_flags(char *to, unsigned flags)
{
    to[0] = '\0';
    for (int bit = 0; bit < RESULT_FLAGS; bit++)
        if (flags & BIT(bit)) {
            if (to[0])
                strcat(to, "+");
            strcat(to, result_flags[bit].name);
        }
    return strlen(to);
}

static size_t print_axis(char *to, const struct cell *cell, int number)
{
    return cell_axis_print(number, cell_value(cell, number), to);
}

static size_t print_entry(char *to, enum column_kind kind, const struct entry *entry)
{
    if (!entry)
        return print_text(to, "");
    return print_text(to, kind == COLUMN_PROBLEM   ? entry->problem->name
                          : kind == COLUMN_VARIANT ? entry->name
                                                   : registry_backends[entry->backend].name);
}

size_t columns_print(const struct column *column, const void *row, char text[COLUMN_TEXT_SIZE])
{
    const void *field = (const char *)row + column->offset;
    text[0] = '\0';
    switch (column->kind) {
    case COLUMN_EXPERIMENT:
    case COLUMN_OWNER:
        return 0;
    case COLUMN_PROBLEM:
    case COLUMN_VARIANT:
    case COLUMN_BACKEND:
        return print_entry(text, column->kind, ((const struct result *)row)->cell.entry);
    case COLUMN_ID:
    case COLUMN_HASH:
    case COLUMN_TEXT:
        return print_text(text, field);
    case COLUMN_AXIS:
        return print_axis(text, &((const struct result *)row)->cell, (int)column->size);
    case COLUMN_STATUS:
        return print_text(text, status_names[*(const enum status *)field]);
    case COLUMN_FLAGS:
        return print_flags(text, *(const unsigned *)field);
    case COLUMN_COUNT:
        return *(const int *)field == 0 ? 0 : (size_t)snprintf(text, COLUMN_TEXT_SIZE, "%d", *(const int *)field);
    case COLUMN_INTEGER:
        return (size_t)snprintf(text, COLUMN_TEXT_SIZE, "%d", *(const int *)field);
    case COLUMN_TRISTATE:
        return *(const int *)field < 0 ? 0 : (size_t)snprintf(text, COLUMN_TEXT_SIZE, "%d", *(const int *)field);
    case COLUMN_REAL:
        return number_print(*(const double *)field, text);
    }
    return 0;
}

static bool read_int(const char *text, size_t length, int if_empty, int *value)
{
    int64_t count;
    if (!number_read_count(text, length, &count) || count > INT32_MAX)
        return false;
    *value = length ? (int)count : if_empty;
    return true;
}

static bool read_flags(const char *text, size_t length, unsigned *flags)
{
    *flags = 0;
    for (size_t from = 0; from < length;) {
        const char *plus = memchr(text + from, '+', length - from);
        const size_t word = plus ? (size_t)(plus - text) - from : length - from;
        int bit = 0;
        while (bit < RESULT_FLAGS && !text_is(text + from, word, result_flags[bit].name))
            bit++;
        if (bit == RESULT_FLAGS)
            return false;
        *flags |= BIT(bit);
        from += word + 1;
    }
    return true;
}

static bool read_variant(const char *text, size_t length, const struct entry **entry)
{
    char name[COLUMN_TEXT_SIZE];
    if (length >= sizeof name)
        return false;
    memcpy(name, text, length);
    name[length] = '\0';
    *entry = registry_find(name); /* NULL: a variant that this build does not know */
    return true;
}

bool columns_read(const struct column *column, void *row, const char *text, size_t length)
{
    void *field = (char *)row + column->offset;
    switch (column->kind) {
    case COLUMN_EXPERIMENT:
    case COLUMN_OWNER:
    case COLUMN_PROBLEM:
    case COLUMN_BACKEND:
        return true;
    case COLUMN_VARIANT:
        return read_variant(text, length, &((struct result *)row)->cell.entry);
    case COLUMN_ID:
    case COLUMN_HASH:
    case COLUMN_TEXT:
        if (length >= column->size)
            return false;
        memcpy(field, text, length);
        ((char *)field)[length] = '\0';
        return true;
    case COLUMN_AXIS:
        return cell_axis_read((int)column->size, text, length, field);
    case COLUMN_STATUS:
        return status_find(text, length, field);
    case COLUMN_FLAGS:
        return read_flags(text, length, field);
    case COLUMN_COUNT:
    case COLUMN_INTEGER:
        return read_int(text, length, 0, field);
    case COLUMN_TRISTATE:
        return read_int(text, length, -1, field);
    case COLUMN_REAL:
        return number_read(text, length, field);
    }
    return false;
}

void columns_describe(FILE *out, const struct column *columns, size_t count)
{
    fputs("| column | unit | meaning |\n|---|---|---|\n", out);
    for (size_t i = 0; i < count; i++) {
        const struct column *column = &columns[i];
        fprintf(out, "| %s | %s | %s", column->name, column->unit, column->meaning);
        if (column->kind == COLUMN_AXIS && cell_axes[column->size].kind == NAME) {
            const struct axis *axis = &cell_axes[column->size];
            for (int64_t value = axis->lowest; value <= axis->highest; value++)
                fprintf(out, "%s%s", value == axis->lowest ? ": " : ", ", axis->names[value]);
        }
        fputs(" |\n", out);
    }
}
