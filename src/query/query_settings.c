/* SQL functions on the settings of a cell, a text such as "precision=f32 n=64 tile=32": suits, pick and drop_axes;
 * and matches, of names of variants.
 * SPDX-License-Identifier: MIT */
#include "query_settings.h"

#include "cell.h"
#include "registry.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Behind the axes of a cell: what its device is, "side=CPU" or "side=GPU". */
enum { SIDE = AXES };

static const char *key_of(int axis)
{
    return axis == SIDE ? "side" : cell_axes[axis].key;
}

static int find_axis(const char *text, size_t length)
{
    const bool side = length == strlen(key_of(SIDE)) && memcmp(text, key_of(SIDE), length) == 0;
    return side ? SIDE : cell_axis_find(text, length);
}

static bool read_value(int axis, const char *text, size_t length, int64_t *value)
{
    if (axis != SIDE)
        return cell_axis_read(axis, text, length, value);
    *value = 0;
    for (int kind = KIND_CPU; kind <= KIND_GPU; kind++)
        if (strlen(registry_kind_names[kind]) == length && memcmp(text, registry_kind_names[kind], length) == 0)
            *value = 1 + kind;
    return *value > 0;
}

/* A condition on an axis: "tile=16|32", "n<=4032". */
struct condition {
    int axis; /* or SIDE */
    enum relation { IS, LESS, MORE, AT_MOST, AT_LEAST } relation;
    const char *values; /* for IS, alternatives between bars */
    size_t length;
};

static bool read_condition(const char *text, size_t length, struct condition *condition, char *why, size_t size)
{
    const size_t name = strcspn(text, "<>=");
    if (name >= length || (condition->axis = find_axis(text, name)) < 0) {
        snprintf(why, size, "no axis in '%.*s'", (int)length, text);
        return false;
    }
    const char *at = text + name;
    const bool open = *at != '=', equal = at[open] == '=';
    condition->relation = !open ? IS : *at == '<' ? (equal ? AT_MOST : LESS) : equal ? AT_LEAST : MORE;
    at += open ? 1 + equal : 1;
    condition->values = at;
    condition->length = length - (size_t)(at - text);
    for (size_t from = 0, to; from <= condition->length; from = to + 1) {
        const char *bar = memchr(at + from, '|', condition->length - from);
        to = bar ? (size_t)(bar - at) : condition->length;
        int64_t value;
        if (to == from || (bar && open) || !read_value(condition->axis, at + from, to - from, &value)) {
            snprintf(why, size, "no value of %s in '%.*s'", key_of(condition->axis), (int)length, text);
            return false;
        }
    }
    return true;
}

static bool holds(const struct condition *condition, int64_t have)
{
    const char *at = condition->values, *end = at + condition->length;
    for (const char *to; at <= end; at = to + 1) {
        int64_t value;
        const char *bar = memchr(at, '|', (size_t)(end - at));
        to = bar ? bar : end;
        read_value(condition->axis, at, (size_t)(to - at), &value);
        const bool is[] = {[IS] = have == value,
                           [LESS] = have<value, [MORE] = have> value,
                           [AT_MOST] = have <= value,
                           [AT_LEAST] = have >= value};
        if (have != 0 && is[condition->relation])
            return true;
    }
    return false;
}

/* The next word of a text between blanks; 0 at its end. */
static size_t next_word(const char **text)
{
    *text += strspn(*text, " ");
    return strcspn(*text, " ");
}

bool query_settings_check(const char *conditions, char *why, size_t size)
{
    size_t length;
    struct condition condition;
    for (const char *at = conditions; (length = next_word(&at)) > 0; at += length)
        if (!read_condition(at, length, &condition, why, size))
            return false;
    return true;
}

/* The value of an axis in settings, or of the side that follows them; 0 where there is none. */
static int64_t value_in(const char *settings, int axis)
{
    const size_t name = strlen(key_of(axis));
    size_t length;
    for (const char *at = settings; (length = next_word(&at)) > 0; at += length) {
        int64_t value;
        if (length > name && at[name] == '=' && memcmp(at, key_of(axis), name) == 0)
            return read_value(axis, at + name + 1, length - name - 1, &value) ? value : 0;
    }
    return 0;
}

/* suits(settings, conditions): 1 if every condition holds. A condition on an axis without a value does not hold. */
static void suits(sqlite3_context *context, int count, sqlite3_value **argument)
{
    (void)count;
    const char *settings = (const char *)sqlite3_value_text(argument[0]),
               *at = (const char *)sqlite3_value_text(argument[1]);
    size_t length;
    bool all = true;
    for (; settings && at && (length = next_word(&at)) > 0; at += length) {
        struct condition condition;
        char why[200];
        if (!read_condition(at, length, &condition, why, sizeof why)) {
            sqlite3_result_error(context, why, -1);
            return;
        }
        all = all && holds(&condition, value_in(settings, condition.axis));
    }
    sqlite3_result_int(context, settings && all);
}

static bool names(const char *list, const char *word, size_t length)
{
    size_t size;
    for (const char *at = list; at && (size = next_word(&at)) > 0; at += size)
        if (size == length && memcmp(at, word, size) == 0)
            return true;
    return false;
}

/* pick(settings, axes): the settings of these axes; drop_axes(settings, axes): the settings of all others. */
static void select_settings(sqlite3_context *context, int count, sqlite3_value **argument)
{
    (void)count;
    const bool pick = sqlite3_user_data(context) != NULL;
    const char *settings = (const char *)sqlite3_value_text(argument[0]),
               *axes = (const char *)sqlite3_value_text(argument[1]);
    if (!settings)
        return;
    char *text = memory_allocate(strlen(settings) + 2, 1);
    size_t used = 0, length;
    for (const char *at = settings; (length = next_word(&at)) > 0; at += length) {
        if (names(axes, at, strcspn(at, "= ")) != pick)
            continue;
        if (used > 0)
            text[used++] = ' ';
        memcpy(text + used, at, length);
        used += length;
    }
    text[used] = '\0';
    sqlite3_result_text(context, text, -1, free);
}

/* matches(variant, patterns): 1 if the name matches one of the patterns, which stand between blanks. */
static void matches(sqlite3_context *context, int count, sqlite3_value **argument)
{
    (void)count;
    const char *variant = (const char *)sqlite3_value_text(argument[0]),
               *at = (const char *)sqlite3_value_text(argument[1]);
    size_t length;
    bool any = false;
    for (; variant && at && !any && (length = next_word(&at)) > 0; at += length) {
        char pattern[128];
        snprintf(pattern, sizeof pattern, "%.*s", (int)length, at);
        any = sqlite3_strglob(pattern, variant) == 0;
    }
    sqlite3_result_int(context, any);
}

int query_settings_add(sqlite3 *db)
{
    static int yes;
    const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC;
    return sqlite3_create_function(db, "suits", 2, flags, NULL, suits, NULL, NULL) ||
           sqlite3_create_function(db, "matches", 2, flags, NULL, matches, NULL, NULL) ||
           sqlite3_create_function(db, "pick", 2, flags, &yes, select_settings, NULL, NULL) ||
           sqlite3_create_function(db, "drop_axes", 2, flags, NULL, select_settings, NULL, NULL);
}
