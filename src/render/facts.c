/* Facts: the rows of the SELECT below a line "-- facts" of an SQL file, for texts that a template completes.
 * SPDX-License-Identifier: MIT */
#include "facts.h"

#include "base/escape.h"
#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const struct facts_table *facts_find(const struct facts *facts, const char *name)
{
    for (size_t i = 0; i < facts->tables; i++)
        if (strcmp(facts->table[i].name, name) == 0)
            return &facts->table[i];
    return NULL;
}

int facts_column(const struct facts_table *table, const char *name)
{
    for (size_t i = 0; i < table->columns; i++)
        if (strcmp(table->column[i], name) == 0)
            return (int)i;
    return -1;
}

const char *facts_value(const struct facts_table *table, const struct facts_row *row, const char *column)
{
    const int at = facts_column(table, column);
    return at < 0 ? NULL : row->value[at];
}

/* The next field of a line, or NULL. */
static char *next_field(char **line)
{
    return strsep(line, "\t");
}

static struct facts_table *table_of(struct facts *facts, const char *name)
{
    const struct facts_table *const found = facts_find(facts, name);
    if (found)
        return &facts->table[found - facts->table];
    facts->table = memory_grow(facts->table, facts->tables + 1, sizeof *facts->table);
    facts->table[facts->tables] = (struct facts_table){.name = memory_copy(name)};
    return &facts->table[facts->tables++];
}

/* Reads the columns of a table. Files of one query have the same columns. */
static bool take_table(struct facts *facts, char *line)
{
    const char *name = next_field(&line);
    if (!name)
        return false;
    struct facts_table *table = table_of(facts, name);
    for (const char *column; (column = next_field(&line));) {
        if (facts_column(table, column) >= 0)
            continue;
        if (table->rows > 0)
            return false;
        table->column = memory_grow(table->column, table->columns + 1, sizeof *table->column);
        table->column[table->columns++] = memory_copy(column);
    }
    return true;
}

static bool take_row(struct facts *facts, char *line)
{
    const char *name = next_field(&line);
    if (!name || !facts_find(facts, name))
        return false;
    struct facts_table *table = table_of(facts, name);
    table->row = memory_grow(table->row, table->rows + 1, sizeof *table->row);
    struct facts_row *row = &table->row[table->rows++];
    row->value = memory_allocate(table->columns, sizeof *row->value);
    for (char *field; (field = next_field(&line));) {
        char *equals = strchr(field, '=');
        if (!equals)
            return false;
        *equals = '\0';
        const int at = facts_column(table, field);
        if (at < 0 || row->value[at])
            return false;
        row->value[at] = memory_copy(equals + 1);
    }
    return true;
}

bool facts_take(struct facts *facts, FILE *file, const char *path)
{
    char *line = NULL;
    size_t room = 0;
    int number = 0;
    bool right = true;
    while (right && getline(&line, &room, file) >= 0) {
        char *rest = line;
        number++;
        line[strcspn(line, "\n")] = '\0';
        const char *kind = next_field(&rest);
        right =
            strcmp(kind, "table") == 0 ? take_table(facts, rest) : strcmp(kind, "row") == 0 && take_row(facts, rest);
    }
    if (!right)
        escape_tell("%s:%d: error: this is no line of `tilelab query --format facts`", path, number);
    free(line);
    return right;
}

bool facts_read(struct facts *facts, const char *path)
{
    FILE *file = fopen(path, "re");
    if (!file) {
        escape_tell("%s: error: %s", path, strerror(errno));
        return false;
    }
    const bool right = facts_take(facts, file, path);
    fclose(file);
    return right;
}

void facts_free(struct facts *facts)
{
    for (size_t t = 0; t < facts->tables; t++) {
        struct facts_table *table = &facts->table[t];
        for (size_t r = 0; r < table->rows; r++) {
            for (size_t i = 0; i < table->columns; i++)
                free(table->row[r].value[i]);
            free(table->row[r].value);
        }
        for (size_t i = 0; i < table->columns; i++)
            free(table->column[i]);
        free(table->row);
        free(table->column);
        free(table->name);
    }
    free(facts->table);
    *facts = (struct facts){0};
}
