/* Loading of CSV files into SQL tables. An empty field becomes NULL.
 * SPDX-License-Identifier: MIT */
#include "query_csv.h"

#include "base/csv.h"
#include "base/memory.h"
#include "base/regular.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Makes the name of an SQL column from a header, in place: "row-tile" becomes row_tile. False if a character is then
 * neither a letter nor a digit nor '_'. */
static bool column_name(char *name)
{
    for (char *at = name; *at; at++) {
        if (*at == '-' || *at == ' ')
            *at = '_';
        if (!isalnum((unsigned char)*at) && *at != '_')
            return false;
    }
    return *name != '\0';
}

/* How the columns of a file go into a table. */
struct target {
    struct column_target {
        char *name;
        int parameter; /* of the INSERT; 0: the field is left out */
        bool known;    /* the table has such a column */
        bool finite;   /* a value must be a finite number */
    } * column;        /* [columns] */
    size_t columns;
    sqlite3_stmt *insert;
};

/* Notes which of the fields are columns of the table, and which of these are numbers. */
static bool note_known(sqlite3 *db, const char *table, struct target *target)
{
    sqlite3_stmt *known = NULL;
    if (sqlite3_prepare_v2(db, "SELECT name, type = 'REAL' FROM pragma_table_info(?1)", -1, &known, NULL) != SQLITE_OK)
        return false;
    sqlite3_bind_text(known, 1, table, -1, SQLITE_STATIC);
    while (sqlite3_step(known) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(known, 0);
        for (size_t i = 0; i < target->columns; i++)
            if (strcmp(target->column[i].name, name) == 0) {
                target->column[i].known = true;
                /* A solver that diverges has an infinite residual, which is a result. */
                target->column[i].finite = sqlite3_column_int(known, 1) && strcmp(name, "residual") != 0;
            }
    }
    sqlite3_finalize(known);
    return true;
}

/* Finds the columns of the table that the header names. A newer program may have written columns that this one does
 * not know: they are left out. The columns of `given` are the caller's. */
static size_t match_columns(sqlite3 *db, const struct csv *csv, const char *table, const char *const given[2],
                            struct target *target, struct left_out *left_out)
{
    size_t matched = 0;
    target->columns = csv->fields;
    target->column = memory_allocate(csv->fields, sizeof *target->column);
    for (size_t i = 0; i < csv->fields; i++)
        target->column[i].name = memory_copy(csv->field[i]);
    if (!note_known(db, table, target))
        return 0;
    for (size_t i = 0; i < csv->fields; i++) {
        const char *name = csv->field[i];
        bool taken = (given[0] && strcmp(name, "host") == 0) || (given[1] && strcmp(name, "experiment") == 0);
        for (size_t k = 0; k < i; k++)
            taken |= strcmp(csv->field[k], name) == 0;
        if (!taken && target->column[i].known)
            target->column[i].parameter = (int)++matched;
        else
            left_out_tell(left_out, 1, "left out the column '%.60s', which this program does not know", name);
    }
    return matched;
}

/* Prepares an INSERT into the columns that the table has, and then into the columns `host` and `experiment` where these
 * are given. */
static sqlite3_stmt *prepare_insert(sqlite3 *db, const char *table, const char *const given[2],
                                    const struct target *target)
{
    static const char *const given_names[] = {"host", "experiment"};
    sqlite3_str *sql = sqlite3_str_new(db);
    const char *comma = "";
    int values = 0;
    sqlite3_str_appendf(sql, "INSERT INTO \"%w\"(", table);
    for (size_t i = 0; i < target->columns; i++)
        if (target->column[i].parameter > 0) {
            sqlite3_str_appendf(sql, "%s\"%w\"", comma, target->column[i].name);
            comma = ",";
            values++;
        }
    for (int g = 0; g < 2; g++)
        if (given[g])
            sqlite3_str_appendf(sql, ",%s", given_names[g]);
    sqlite3_str_appendf(sql, ") VALUES(");
    for (int i = 0; i < values + (given[0] != NULL) + (given[1] != NULL); i++)
        sqlite3_str_appendf(sql, i ? ",?" : "?");
    sqlite3_str_appendf(sql, ")");
    char *text = sqlite3_str_finish(sql);
    sqlite3_stmt *insert = NULL;
    if (!text || sqlite3_prepare_v2(db, text, -1, &insert, NULL) != SQLITE_OK)
        insert = NULL;
    sqlite3_free(text);
    for (int g = 0; g < 2 && insert; g++)
        if (given[g])
            sqlite3_bind_text(insert, ++values, given[g], -1, SQLITE_TRANSIENT);
    return insert;
}

/* Reads the header and makes the names of columns from it. A mark of the byte order, which editors write, is no part of
 * the first name. */
static const char *read_header(struct csv *csv)
{
    const int got = csv_read(csv);
    if (got <= 0)
        return got ? "a quoted field is not closed" : "the header line is missing";
    if (csv->field[0] && strncmp(csv->field[0], "\xef\xbb\xbf", 3) == 0)
        csv->field[0] += 3;
    for (size_t i = 0; i < csv->fields; i++)
        if (!csv->field[i] || !column_name(csv->field[i]))
            return "a column of the header line has a name with other characters than letters, digits, - and _";
    return NULL;
}

/* Why a value cannot be taken; NULL if it can. No text of a result is longer than the limit. A time outside of the
 * range of a double would be an infinity in every query. */
static const char *value_fault(const char *text, bool finite)
{
    enum { LONGEST = 4096 };
    if (!text)
        return NULL;
    if (strnlen(text, LONGEST + 1) > LONGEST)
        return "the value is too long";
    return finite && !isfinite(strtod(text, NULL)) ? "the value is no finite number" : NULL;
}

/* Binds the values of a row. Returns the column whose value cannot be taken, with the reason, or NULL. */
static const struct column_target *bind_row(const struct csv *csv, const struct target *target, const char **fault)
{
    for (size_t i = 0; i < target->columns; i++) {
        if (target->column[i].parameter == 0)
            continue;
        if ((*fault = value_fault(csv->field[i], target->column[i].finite)))
            return &target->column[i];
        sqlite3_bind_text(target->insert, target->column[i].parameter, csv->field[i], -1, SQLITE_STATIC);
    }
    return NULL;
}

static void insert_records(sqlite3 *db, struct csv *csv, const struct target *target, struct left_out *left_out)
{
    int got;
    while ((got = csv_read(csv)) > 0) {
        const char *fault = NULL;
        const struct column_target *at;
        if (csv->fields != target->columns)
            left_out_tell(left_out, csv->line, "left out a row: %zu fields where the header has %zu", csv->fields,
                          target->columns);
        else if ((at = bind_row(csv, target, &fault)))
            left_out_tell(left_out, csv->line, "left out a row: %.60s: %s", at->name, fault);
        else if (sqlite3_step(target->insert) != SQLITE_DONE)
            left_out_tell(left_out, csv->line, "left out a row: %s", sqlite3_errmsg(db));
        sqlite3_reset(target->insert);
    }
    if (got < 0)
        left_out_tell(left_out, csv->line, "left out the rest of the file: a quoted field is not closed");
}

void query_csv_load(sqlite3 *db, const char *table, const char *experiment, struct left_out *left_out)
{
    FILE *file = regular_open(left_out->path);
    if (file)
        query_csv_load_stream(db, file, table, experiment, left_out);
    else
        left_out_tell(left_out, 0, "left out the file: %s", regular_why(errno));
}

void query_csv_load_stream(sqlite3 *db, FILE *file, const char *table, const char *experiment,
                           struct left_out *left_out)
{
    struct csv csv;
    csv_start(&csv, file, left_out->path);
    struct target target = {0};
    const char *const given[] = {left_out->host, experiment};
    const char *fault = read_header(&csv);
    if (!fault && match_columns(db, &csv, table, given, &target, left_out) == 0)
        fault = "no column of it is known";
    if (!fault && !(target.insert = prepare_insert(db, table, given, &target)))
        fault = sqlite3_errmsg(db);
    if (fault)
        left_out_tell(left_out, 1, "left out the file: %s", fault);
    else
        insert_records(db, &csv, &target, left_out);
    sqlite3_finalize(target.insert);
    for (size_t i = 0; i < target.columns; i++)
        free(target.column[i].name);
    free(target.column);
    csv_close(&csv);
}

/* The type of a column of a published table follows from its values: the last of these kinds that any value has. */
enum kind { KIND_INTEGER, KIND_REAL, KIND_TEXT };

static enum kind kind_of(const char *text)
{
    const char *at = text + (*text == '-' || *text == '+');
    const size_t whole = strspn(at, "0123456789");
    if (whole && !at[whole])
        return KIND_INTEGER;
    at += whole;
    const size_t part = *at == '.' ? 1 + strspn(at + 1, "0123456789") : 0;
    at += part;
    if (whole + (part > 1) == 0)
        return KIND_TEXT;
    if (*at == 'e' || *at == 'E') {
        at += 1 + (at[1] == '-' || at[1] == '+');
        if (!isdigit((unsigned char)*at))
            return KIND_TEXT;
        at += strspn(at, "0123456789");
    }
    return *at ? KIND_TEXT : KIND_REAL;
}

/* Reads the names of the columns, and what type each has. */
static char *published_columns(struct csv *csv)
{
    const size_t columns = csv->fields;
    char **name = memory_allocate(columns, sizeof *name);
    enum kind *kind = memory_allocate(columns, sizeof *kind);
    for (size_t i = 0; i < columns; i++)
        name[i] = memory_copy(csv->field[i]);
    while (csv_read(csv) > 0)
        for (size_t i = 0; i < columns && i < csv->fields; i++)
            if (csv->field[i] && kind_of(csv->field[i]) > kind[i])
                kind[i] = kind_of(csv->field[i]);

    static const char *const types[] = {"INTEGER", "REAL", "TEXT"};
    sqlite3_str *sql = sqlite3_str_new(NULL);
    for (size_t i = 0; i < columns; i++) {
        sqlite3_str_appendf(sql, "%s\"%w\" %s", i ? "," : "", name[i], types[kind[i]]);
        free(name[i]);
    }
    free(name);
    free(kind);
    return sqlite3_str_finish(sql);
}

static void create_published(sqlite3 *db, const char *table, struct left_out *left_out)
{
    struct csv csv;
    FILE *file = regular_open(left_out->path);
    if (!file) {
        left_out_tell(left_out, 0, "%s", regular_why(errno));
        return;
    }
    csv_start(&csv, file, left_out->path);
    const char *fault = read_header(&csv);
    if (!fault) {
        char *list = published_columns(&csv);
        char *text = sqlite3_mprintf("CREATE TABLE \"%w\"(%s) STRICT", table, list);
        if (sqlite3_exec(db, text, NULL, NULL, NULL) != SQLITE_OK)
            fault = sqlite3_errmsg(db);
        sqlite3_free(text);
        sqlite3_free(list);
    }
    if (fault)
        left_out_tell(left_out, 1, "%s", fault);
    csv_close(&csv);
}

int query_csv_load_published(sqlite3 *db, const char *path, const char *stem, FILE *diagnostics)
{
    char table[128];
    struct left_out left_out = {.db = db, .path = path, .diagnostics = diagnostics, .fatal = true};
    snprintf(table, sizeof table, "%s", stem);
    if (!column_name(table)) {
        left_out_tell(&left_out, 0, "a table cannot have this name; use letters, digits, - and _");
        return -1;
    }
    create_published(db, table, &left_out);
    if (left_out.faults == 0)
        query_csv_load(db, table, NULL, &left_out);
    return left_out.faults > 0 ? -1 : 0;
}
