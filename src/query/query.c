/* Runs SQL statements over CSV files and run records, which are loaded into SQLite.
 * SPDX-License-Identifier: MIT */
#include "query.h"

#include "query_author.h"
#include "query_facts.h"
#include "query_functions.h"
#include "query_load.h"
#include "query_marks.h"
#include "query_print.h"
#include "query_schema.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* report/withdrawn.sql, which withdraws the times of variants that are wrong somewhere. */
static const char withdrawn_sql[] =
#include "withdrawn.sql.inc"
    ;

/* report/cells.sql, the base layer of all queries. */
static const char cells_sql[] =
#include "cells.sql.inc"
    ;

/* report/library.sql, which says what times of libraries stand beside other variants. */
static const char library_sql[] =
#include "library.sql.inc"
    ;

/* report/crossings.sql, which says from which size on a library on the GPU is faster than one on the CPU. */
static const char crossings_sql[] =
#include "crossings.sql.inc"
    ;

/* report/ceilings.sql, which judges the probes of the results that were loaded. */
static const char ceilings_sql[] =
#include "ceilings.sql.inc"
    ;

/* report/limits.sql, which says what bounds each cell. */
static const char limits_sql[] =
#include "limits.sql.inc"
    ;

/* Notes when a statement reads what takes long to load: the table of changed files, for which all files are hashed. */
static int authorize(void *context, int action, const char *table, const char *column, const char *database,
                     const char *trigger)
{
    (void)column, (void)database, (void)trigger;
    struct query *query = context;
    if (action == SQLITE_READ && table && strcmp(table, "changed_files") == 0)
        query->changes_wanted = true;
    return action == SQLITE_ATTACH || action == SQLITE_DETACH ? SQLITE_DENY : SQLITE_OK;
}

static int line_of(const char *text, const char *at)
{
    int line = 1;
    for (; text < at; text++)
        line += *text == '\n';
    return line;
}

const char *query_statement_start(const char *text)
{
    for (;;) {
        while (isspace((unsigned char)*text))
            text++;
        if (text[0] != '-' || text[1] != '-')
            return text;
        text += strcspn(text, "\n");
    }
}

/* Reads a line of comment. Returns whether it is a directive. */
static bool read_directive(const char *line, struct rows *rows)
{
    const bool scalars = strcmp(line, "-- scalars") == 0, group = strcmp(line, "-- group") == 0;
    const bool facts = strcmp(line, "-- facts") == 0;
    rows->scalars |= scalars;
    rows->group |= group;
    rows->facts |= facts;
    return scalars || group || facts || sscanf(line, "-- name: %63[a-z_]", rows->title) == 1 ||
           sscanf(line, "-- align: %255[^\n]", rows->align) == 1 ||
           sscanf(line, "-- pivot: %63s %63s", rows->pivot[0], rows->pivot[1]) > 0;
}

/* Reads the directives of a statement, which are comments in front of it, as "-- pivot: n time". Returns the first of
 * them, or NULL if there is none. */
static const char *read_directives(const char *text, const char *start, struct rows *rows)
{
    const char *first = NULL;
    for (const char *line; (line = strstr(text, "--")) && line < start; text = line + strcspn(line, "\n")) {
        char buffer[320];
        snprintf(buffer, sizeof buffer, "%.*s", (int)strcspn(line, "\n"), line);
        if (read_directive(buffer, rows) && !first)
            first = line;
    }
    return first;
}

/* A statement without rows loses its directives: false after a diagnostic, if it has one. */
static bool keeps_directives(sqlite3_stmt *statement, const char *path, const char *text, const char *from,
                             const char *start)
{
    struct rows ignored = {0};
    const char *directive = sqlite3_column_count(statement) == 0 ? read_directives(from, start, &ignored) : NULL;
    if (directive)
        fprintf(stderr, "%s:%d: error: '%.*s' stands before a statement without rows; move it to the SELECT below\n",
                path, line_of(text, directive), (int)strcspn(directive, "\n"), directive);
    return !directive;
}

bool query_set(struct query *query, const char *name, const char *value)
{
    if (query->sets == QUERY_SETS_MAX)
        return false;
    query->set_name[query->sets] = name;
    query->set_value[query->sets++] = value;
    return true;
}

/* The value of a parameter; NULL: it has none. */
static const char *setting(const struct query *query, const char *name)
{
    size_t set = query->sets;
    while (set > 0 && strcmp(query->set_name[set - 1], name) != 0)
        set--;
    return set > 0 ? query->set_value[set - 1] : NULL;
}

static int bind_parameters(const struct query *query, sqlite3_stmt *statement, const char *path, int line)
{
    for (int i = 1; i <= sqlite3_bind_parameter_count(statement); i++) {
        const char *name = sqlite3_bind_parameter_name(statement, i);
        const char *value = name ? setting(query, name + 1) : NULL;
        if (!value) {
            fprintf(stderr, "%s:%d: error: parameter %s has no value; give --set %s=...\n", path, line,
                    name ? name : "?", name ? name + 1 : "name");
            return -1;
        }
        if (*value)
            sqlite3_bind_text(statement, i, value, -1, SQLITE_STATIC);
    }
    return 0;
}

const char *query_run_statement(struct query *query, const char *path, const char *text, const char *from,
                                struct rows *rows)
{
    const char *start = query_statement_start(from);
    const int line = line_of(text, start);
    const char *tail = NULL;
    sqlite3_stmt *statement = NULL;
    *rows = (struct rows){0};
    if (sqlite3_prepare_v2(query->db, start, -1, &statement, &tail) != SQLITE_OK) {
        int offset = -1;
#if SQLITE_VERSION_NUMBER >= 3038000
        offset = sqlite3_error_offset(query->db);
#endif
        fprintf(stderr, "%s:%d: error: %s\n", path, offset < 0 ? line : line_of(text, start + offset),
                sqlite3_errmsg(query->db));
        return NULL;
    }
    if (!statement)
        return tail;
    if (!keeps_directives(statement, path, text, from, start))
        tail = NULL;
    else if (query->changes_wanted && !query_load_changes(query, stderr))
        tail = NULL;
    else if (bind_parameters(query, statement, path, line) != 0)
        tail = NULL;
    else if (rows_read(statement, rows) != 0) {
        fprintf(stderr, "%s:%d: error: %s\n", path, line, sqlite3_errmsg(query->db));
        tail = NULL;
    } else if (rows->columns > 0) {
        read_directives(from, start, rows);
        if (rows->pivot[1][0])
            rows_pivot(rows);
        if (rows->facts)
            query_marks_show(rows, false);
    }
    sqlite3_finalize(statement);
    return tail;
}

bool query_take_facts(struct query *query, const char *path, const struct rows *rows)
{
    if (!rows->facts)
        return false;
    query->facts_told = true;
    if (query->facts)
        query_facts_print(rows, path, setting(query, "host"), query->facts);
    return true;
}

void query_close_facts(const struct query *query, const char *path)
{
    if (query->facts && !query->facts_told)
        query_facts_print(NULL, path, NULL, query->facts);
}

/* Opens the database: in memory, or the file that --save writes or --database reads. One thread alone calls SQLite, so
 * that it needs no locks, and nobody asks how much memory it has taken. */
static bool open_database(struct query *query)
{
    sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    const char *path = query->save ? query->save : query->database ? query->database : ":memory:";
    const int flags = query->database ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    bool done = sqlite3_open_v2(path, &query->db, flags, NULL) == SQLITE_OK && query_functions_add(query->db) == 0 &&
                words_add(query->db, query->words) == 0;
    /* The file is made anew after a crash, so that it needs no journal. Temporary tables are small. */
    if (done && query->save)
        done = sqlite3_exec(query->db, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF", NULL, NULL, NULL) == 0;
    if (done)
        done = sqlite3_exec(query->db, "PRAGMA temp_store = MEMORY", NULL, NULL, NULL) == SQLITE_OK;
    if (!done)
        fprintf(stderr, "tilelab query: %s: %s\n", path, sqlite3_errmsg(query->db));
    return done;
}

/* Turns a view into a table of the same rows, where many statements read it: each would evaluate the view anew. They
 * are those of this call, or of the calls that read the file of --save. */
static bool keep(struct query *query, const char *view)
{
    if (!query->many)
        return true;
    char *sql = sqlite3_mprintf("CREATE TEMP TABLE kept AS SELECT * FROM %s; DROP VIEW %s;"
                                "CREATE TABLE %s AS SELECT * FROM kept; DROP TABLE kept;"
                                "CREATE INDEX %s_of ON %s(host, experiment);",
                                view, view, view, view, view);
    const bool done = sql && query_run(query, view, sql, NULL);
    sqlite3_free(sql);
    return done;
}

bool query_open(struct query *query)
{
    if (!open_database(query))
        return false;
    if (query->database) {
        query->changes_loaded = true;
        sqlite3_set_authorizer(query->db, authorize, query);
        return true;
    }
    if (query_schema_create(query->db, stderr) != 0 || !query_load(query, stderr) ||
        !query_run(query, "report/withdrawn.sql", withdrawn_sql, NULL) ||
        !query_run(query, "report/cells.sql", cells_sql, NULL) || !keep(query, "described") ||
        !query_run(query, "report/library.sql", library_sql, NULL) || !keep(query, "library_cells") ||
        !query_run(query, "report/crossings.sql", crossings_sql, NULL) ||
        !query_run(query, "report/ceilings.sql", ceilings_sql, NULL) ||
        !query_run(query, "report/limits.sql", limits_sql, NULL))
        return false;
    if (!query_author_load(query->db, query->author, stderr))
        return false;
    if (query->language && !words_choose_columns(query->db, query->language, stderr))
        return false;
    sqlite3_set_authorizer(query->db, authorize, query);
    return true;
}

bool query_reopen(struct query *query)
{
    sqlite3_close(query->db);
    query->changes_wanted = query->changes_loaded = false;
    return query_open(query);
}

bool query_run(struct query *query, const char *name, const char *sql, struct rows *rows)
{
    const char *at = sql;
    if (rows)
        *rows = (struct rows){0};
    while (at && *query_statement_start(at)) {
        struct rows now;
        at = query_run_statement(query, name, sql, at, &now);
        if (rows && now.columns > 0 && !query_take_facts(query, name, &now)) {
            rows_free(rows);
            *rows = now;
        } else {
            rows_free(&now);
        }
    }
    return at != NULL;
}

void query_close(struct query *query)
{
    sqlite3_close(query->db);
    query->db = NULL;
    hosts_free(&query->hosts);
}
