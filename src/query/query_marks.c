/* Marks in tables: names of variants whose code has changed since.
 * SPDX-License-Identifier: MIT */
#include "query_marks.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define MARK "†"

static const char *parameter(const struct query *query, const char *name)
{
    for (size_t set = query->sets; set > 0; set--)
        if (strcmp(query->set_name[set - 1], name) == 0)
            return *query->set_value[set - 1] ? query->set_value[set - 1] : NULL;
    return NULL;
}

/* The column of the size, which tables call n or N. */
static size_t size_column(const struct rows *rows)
{
    const size_t column = rows_column(rows, "n");
    return column < rows->columns ? column : rows_column(rows, "N");
}

/* Whether a text goes on as a sentence behind its first word: "cuda-register with 16-byte loads" names no times. */
static bool is_prose(const char *rest)
{
    return rest[0] == ' ' && rest[1] >= 'a' && rest[1] <= 'z';
}

/* Whether a text begins with the name of a variant that has stale times. *length: of the name. */
static bool is_stale(sqlite3_stmt *find, const char *text, const char *n, size_t *length)
{
    *length = strcspn(text, " ,");
    if (is_prose(text + *length))
        return false;
    sqlite3_bind_text(find, 3, text, (int)*length, SQLITE_STATIC);
    sqlite3_bind_text(find, 4, n, -1, SQLITE_STATIC);
    const bool found = sqlite3_step(find) == SQLITE_ROW;
    sqlite3_reset(find);
    return found;
}

int query_marks_put(const struct query *query, struct rows *rows)
{
    static const char sql[] =
        "SELECT 1 FROM results WHERE host = ?1 AND experiment = ?2 AND status = 'ok' AND stale AND NOT probe"
        " AND (idea = ?3 OR variant = ?3) AND (?4 IS NULL OR n = CAST(?4 AS INTEGER)) LIMIT 1";
    const char *host = parameter(query, "host"), *experiment = parameter(query, "experiment");
    sqlite3_stmt *find = NULL;
    if (!host || !experiment || rows->facts)
        return 0;
    if (sqlite3_prepare_v2(query->db, sql, -1, &find, NULL) != SQLITE_OK)
        return -1;
    sqlite3_bind_text(find, 1, host, -1, SQLITE_STATIC);
    sqlite3_bind_text(find, 2, experiment, -1, SQLITE_STATIC);
    const size_t size = size_column(rows);
    for (size_t i = 0; i < rows->count * rows->columns; i++) {
        const size_t column = i % rows->columns;
        const char *text = rows->value[i];
        const char *n = size < rows->columns ? rows_value(rows, i / rows->columns, size) : NULL;
        size_t length;
        if (!text || rows->numeric[column] || !is_stale(find, text, n, &length))
            continue;
        char *marked = memory_print("%.*s" MARK "%s", (int)length, text, text + length);
        free(rows->value[i]);
        rows->value[i] = marked;
    }
    sqlite3_finalize(find);
    return 0;
}
