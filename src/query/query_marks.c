/* The marks behind the text of a number: a raised letter for each flag of the times behind it, and one for stale times.
 * SPDX-License-Identifier: MIT */
#include "query_marks.h"

#include "query_record.h"
#include "base/memory.h"
#include "base/raised.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STALE = RESULT_FLAGS, MARKS };

/* The flags of flags.def, then the mark of a time whose code has changed. */
static struct flag_meaning mark_at(int mark)
{
    static const struct flag_meaning stale = {"stale", "s", FLAG_IS_DOUBT, "the code of the variant has changed since"};
    return mark == STALE ? stale : result_flags[mark];
}

static const char *raised_mark(int mark)
{
    return raised(*mark_at(mark).letter);
}

static sqlite3_int64 set_of(int mark)
{
    return (sqlite3_int64)2 << mark;
}

/* Sets that are joined: what one of them has, and what one of them lacks. */
struct joined {
    sqlite3_int64 has, lacks;
};

static void add(struct joined *joined, int count, sqlite3_value **argument)
{
    for (int i = 0; i < count; i++)
        if (sqlite3_value_type(argument[i]) != SQLITE_NULL) {
            joined->has |= sqlite3_value_int64(argument[i]);
            joined->lacks |= ~sqlite3_value_int64(argument[i]);
        }
}

/* The union of the sets. The power limit remains only where all of them have it: then a ratio is one of equal terms. */
static sqlite3_int64 union_of(const struct joined *joined)
{
    return joined->has & ~(joined->lacks & set_of(BIT_CAPPED));
}

/* The union of sets. Tells the statement of a truth value in place of a set. */
static sqlite3_int64 join(sqlite3_context *context, int count, sqlite3_value **argument)
{
    struct joined joined = {0, 0};
    add(&joined, count, argument);
    if (joined.has & 1)
        sqlite3_result_error(context, "a truth value is no set of flags", -1);
    return union_of(&joined);
}

/* The marks of a set, which the caller frees. */
static char *text_of(sqlite3_int64 set)
{
    char *text = memory_copy("");
    for (int mark = 0; mark < MARKS; mark++)
        if (set & set_of(mark))
            memory_append(&text, "%s", raised_mark(mark));
    return text;
}

static bool is_doubt(sqlite3_int64 set)
{
    bool found = false;
    for (int mark = 0; mark < MARKS; mark++)
        found |= mark_at(mark).kind != FLAG_IS_REMARK && set & set_of(mark);
    return found;
}

static void flag(sqlite3_context *context, int count, sqlite3_value **argument)
{
    (void)count;
    const char *name = (const char *)sqlite3_value_text(argument[0]);
    for (int mark = 0; mark < MARKS; mark++)
        if (name && strcmp(name, mark_at(mark).name) == 0) {
            sqlite3_result_int64(context, set_of(mark));
            return;
        }
    sqlite3_result_error(context, "flag(name): there is no such flag", -1);
}

static void marked(sqlite3_context *context, int count, sqlite3_value **argument)
{
    const char *text = (const char *)sqlite3_value_text(argument[0]);
    const sqlite3_int64 set = join(context, count - 1, argument + 1);
    if (!text || set & 1)
        return;
    char *marks = text_of(set);
    sqlite3_result_text(context, memory_print("%s%s", text, marks), -1, free);
    free(marks);
}

static void all_flags(sqlite3_context *context, int count, sqlite3_value **argument)
{
    const sqlite3_int64 set = join(context, count, argument);
    if (!(set & 1))
        sqlite3_result_int64(context, set);
}

static void doubt(sqlite3_context *context, int count, sqlite3_value **argument)
{
    const sqlite3_int64 set = join(context, count, argument);
    if (!(set & 1))
        sqlite3_result_int(context, is_doubt(set));
}

static void all_step(sqlite3_context *context, int count, sqlite3_value **argument)
{
    struct joined *joined = sqlite3_aggregate_context(context, sizeof *joined);
    if (joined && !(join(context, count, argument) & 1))
        add(joined, count, argument);
}

static void all_final(sqlite3_context *context)
{
    const struct joined *joined = sqlite3_aggregate_context(context, 0);
    sqlite3_result_int64(context, joined ? union_of(joined) : 0);
}

int query_marks_add(sqlite3 *db)
{
    const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC;
    return sqlite3_create_function(db, "flag", 1, flags, NULL, flag, NULL, NULL) ||
           sqlite3_create_function(db, "marked", -1, flags, NULL, marked, NULL, NULL) ||
           sqlite3_create_function(db, "all_flags", -1, flags, NULL, all_flags, NULL, NULL) ||
           sqlite3_create_function(db, "all_flags", 1, flags, NULL, NULL, all_step, all_final) ||
           sqlite3_create_function(db, "doubt", -1, flags, NULL, doubt, NULL, NULL);
}

void query_marks_insert(sqlite3 *db)
{
    for (int mark = 0; mark < MARKS; mark++) {
        const struct flag_meaning at = mark_at(mark);
        char order[24];
        snprintf(order, sizeof order, "%d", mark);
        const char *const row[] = {order, at.letter, raised(*at.letter), at.name, at.meaning};
        query_record_insert(db, "INSERT INTO marks VALUES(?,?,?,?,?)", 5, row);
    }
}

void query_marks_put(sqlite3_str *sql, const char *unsteady)
{
    sqlite3_str_appendf(sql, "iif(%s, %lld, 0)", unsteady, set_of(BIT_UNSTEADY));
    for (int bit = 0; bit < RESULT_FLAGS; bit++)
        sqlite3_str_appendf(sql, " | iif(instr('+' || coalesce(flags, '') || '+', '+%s+'), %lld, 0)",
                            result_flags[bit].name, set_of(bit));
    sqlite3_str_appendf(sql, " | iif(stale, %lld, 0)", set_of(STALE));
}

void query_marks_show(struct rows *rows, bool as_number)
{
    static const char name[] = "flagged";
    for (size_t c = 0; c < rows->columns; c++) {
        if (strcmp(rows->name[c], name) != 0 && !text_ends(rows->name[c], "_flagged"))
            continue;
        for (size_t v = c; v < rows->count * rows->columns; v += rows->columns) {
            const sqlite3_int64 set = rows->value[v] ? atoll(rows->value[v]) : 0;
            free(rows->value[v]);
            rows->value[v] = as_number ? memory_print("%lld", (long long)(is_doubt(set) ? set : -set))
                             : set     ? text_of(set)
                                       : NULL;
        }
        rows->numeric[c] = as_number;
    }
}

size_t query_marks_begin(const char *text)
{
    for (int mark = 0; mark < MARKS; mark++) {
        const char *const as = raised_mark(mark);
        if (strncmp(text, as, strlen(as)) == 0)
            return strlen(as);
    }
    return 0;
}

size_t query_marks_length(const char *text)
{
    const size_t whole = strlen(text);
    size_t length = whole;
    for (bool found = true; found && length > 0;) {
        found = false;
        for (int mark = 0; mark < MARKS && !found; mark++) {
            const char *const as = raised_mark(mark);
            const size_t size = strlen(as);
            found = size <= length && memcmp(text + length - size, as, size) == 0;
            length -= found ? size : 0;
        }
    }
    return whole - length;
}
