/* Loading of CSV files into SQL tables. An empty field becomes NULL.
 * SPDX-License-Identifier: MIT */
#include "query_csv.h"

#include "base/csv.h"
#include "base/memory.h"

#include <ctype.h>
#include <errno.h>
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

static int csv_fault(const struct csv *csv, FILE *diagnostics, const char *what)
{
    fprintf(diagnostics, "%s:%d: error: %s\n", csv->path, csv->line, what);
    return -1;
}

/* Prepares an INSERT into the columns that the header names, with the host and the experiment in front where these are
 * given. */
static sqlite3_stmt *prepare_insert(sqlite3 *db, struct csv *csv, const char *table, const char *host,
                                    const char *experiment)
{
    sqlite3_str *sql = sqlite3_str_new(db);
    sqlite3_str_appendf(sql, "INSERT INTO \"%w\"(%s%s", table, host ? "host" : "", experiment ? ",experiment" : "");
    for (size_t i = 0; i < csv->fields; i++)
        sqlite3_str_appendf(sql, "%s\"%w\"", i || host ? "," : "", csv->field[i]);
    sqlite3_str_appendf(sql, ") VALUES(");
    const size_t values = csv->fields + (host != NULL) + (experiment != NULL);
    for (size_t i = 0; i < values; i++)
        sqlite3_str_appendf(sql, i ? ",?" : "?");
    sqlite3_str_appendf(sql, ")");
    char *text = sqlite3_str_finish(sql);
    sqlite3_stmt *insert = NULL;
    if (!text || sqlite3_prepare_v2(db, text, -1, &insert, NULL) != SQLITE_OK)
        insert = NULL;
    sqlite3_free(text);
    if (insert && host)
        sqlite3_bind_text(insert, 1, host, -1, SQLITE_TRANSIENT);
    if (insert && experiment)
        sqlite3_bind_text(insert, 2, experiment, -1, SQLITE_TRANSIENT);
    return insert;
}

/* Reads the header and makes the names of columns from it. */
static int read_header(struct csv *csv, FILE *diagnostics)
{
    const int got = csv_read(csv);
    if (got <= 0)
        return csv_fault(csv, diagnostics, got ? "a quoted field is not closed" : "the header line is missing");
    for (size_t i = 0; i < csv->fields; i++)
        if (!csv->field[i] || !column_name(csv->field[i]))
            return csv_fault(
                csv, diagnostics,
                "a column of the header line has a name with other characters than letters, digits, - and _");
    return 0;
}

static int insert_records(sqlite3 *db, struct csv *csv, sqlite3_stmt *insert, int offset, FILE *diagnostics)
{
    const size_t columns = csv->fields;
    int got;
    while ((got = csv_read(csv)) > 0) {
        if (csv->fields != columns) {
            char what[96];
            snprintf(what, sizeof what, "%zu fields where the header has %zu", csv->fields, columns);
            return csv_fault(csv, diagnostics, what);
        }
        for (size_t i = 0; i < columns; i++)
            sqlite3_bind_text(insert, offset + (int)i, csv->field[i], -1, SQLITE_STATIC);
        if (sqlite3_step(insert) != SQLITE_DONE)
            return csv_fault(csv, diagnostics, sqlite3_errmsg(db));
        sqlite3_reset(insert);
    }
    return got ? csv_fault(csv, diagnostics, "a quoted field is not closed") : 0;
}

int query_csv_load(sqlite3 *db, const char *path, const char *table, const char *host, const char *experiment,
                   FILE *diagnostics)
{
    struct csv csv;
    if (!csv_open(&csv, path)) {
        fprintf(diagnostics, "%s: error: %s\n", path, strerror(errno));
        return -1;
    }
    sqlite3_stmt *insert = NULL;
    int failed = read_header(&csv, diagnostics);
    if (!failed && !(insert = prepare_insert(db, &csv, table, host, experiment)))
        failed = csv_fault(&csv, diagnostics, sqlite3_errmsg(db));
    if (!failed)
        failed = insert_records(db, &csv, insert, 1 + (host != NULL) + (experiment != NULL), diagnostics);
    sqlite3_finalize(insert);
    csv_close(&csv);
    return failed;
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

static int create_published(sqlite3 *db, const char *path, const char *table, FILE *diagnostics)
{
    struct csv csv;
    if (!csv_open(&csv, path)) {
        fprintf(diagnostics, "%s: error: %s\n", path, strerror(errno));
        return -1;
    }
    if (read_header(&csv, diagnostics) != 0) {
        csv_close(&csv);
        return -1;
    }
    const size_t columns = csv.fields;
    char **name = memory_allocate(columns, sizeof *name);
    enum kind *kind = memory_allocate(columns, sizeof *kind);
    for (size_t i = 0; i < columns; i++)
        name[i] = memory_copy(csv.field[i]);
    while (csv_read(&csv) > 0)
        for (size_t i = 0; i < columns && i < csv.fields; i++)
            if (csv.field[i] && kind_of(csv.field[i]) > kind[i])
                kind[i] = kind_of(csv.field[i]);

    static const char *const types[] = {"INTEGER", "REAL", "TEXT"};
    sqlite3_str *sql = sqlite3_str_new(db);
    for (size_t i = 0; i < columns; i++) {
        sqlite3_str_appendf(sql, "%s\"%w\" %s", i ? "," : "", name[i], types[kind[i]]);
        free(name[i]);
    }
    free(name);
    free(kind);
    char *list = sqlite3_str_finish(sql);
    char *text = sqlite3_mprintf("CREATE TABLE \"%w\"(%s) STRICT", table, list);
    const int failed = sqlite3_exec(db, text, NULL, NULL, NULL) != SQLITE_OK;
    if (failed)
        csv_fault(&csv, diagnostics, sqlite3_errmsg(db));
    sqlite3_free(text);
    sqlite3_free(list);
    csv_close(&csv);
    return failed ? -1 : 0;
}

int query_csv_load_published(sqlite3 *db, const char *path, const char *stem, FILE *diagnostics)
{
    char table[128];
    snprintf(table, sizeof table, "%s", stem);
    if (!column_name(table)) {
        fprintf(diagnostics, "%s: error: a table cannot have this name; use letters, digits, - and _\n", path);
        return -1;
    }
    return create_published(db, path, table, diagnostics) || query_csv_load(db, path, table, NULL, NULL, diagnostics);
}
