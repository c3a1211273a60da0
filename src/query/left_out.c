/* What a query leaves out of foreign data.
 * SPDX-License-Identifier: MIT */
#include "left_out.h"

#include "base/escape.h"

#include <stdarg.h>
#include <string.h>

static void put(const struct left_out *left_out, int line, const char *what)
{
    const char *name = strrchr(left_out->path, '/');
    escape_put(left_out->diagnostics, escape_terminal, left_out->path);
    if (line > 0)
        fprintf(left_out->diagnostics, ":%d", line);
    fputs(left_out->fatal ? ": error: " : ": warning: ", left_out->diagnostics);
    escape_put(left_out->diagnostics, escape_terminal, what);
    fputc('\n', left_out->diagnostics);
    sqlite3_stmt *insert = NULL;
    if (left_out->fatal || sqlite3_prepare_v2(left_out->db, "INSERT INTO left_out VALUES(?, ?, nullif(?, 0), ?)", -1,
                                              &insert, NULL) != SQLITE_OK)
        return;
    sqlite3_bind_text(insert, 1, left_out->host, -1, SQLITE_STATIC);
    sqlite3_bind_text(insert, 2, name ? name + 1 : left_out->path, -1, SQLITE_STATIC);
    sqlite3_bind_int(insert, 3, line);
    sqlite3_bind_text(insert, 4, what, -1, SQLITE_STATIC);
    sqlite3_step(insert);
    sqlite3_finalize(insert);
}

void left_out_tell(struct left_out *left_out, int line, const char *format, ...)
{
    if (left_out->faults++ >= LEFT_OUT_TOLD)
        return;
    char what[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    put(left_out, line, what);
}

void left_out_end(const struct left_out *left_out)
{
    if (left_out->faults <= LEFT_OUT_TOLD)
        return;
    char what[96];
    snprintf(what, sizeof what, "%zu further faults like these; what has them is left out",
             left_out->faults - LEFT_OUT_TOLD);
    put(left_out, 0, what);
}
