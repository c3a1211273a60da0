/* The variants that a command line names by patterns.
 * SPDX-License-Identifier: MIT */
#include "variants.h"

#include "base/escape.h"
#include "base/memory.h"
#include "base/suggest.h"
#include "own/own.h"

#include <stdlib.h>
#include <string.h>

/* Calls `visit` with each pattern of a list, until it returns true. Returns whether it did. */
static bool any_pattern(const char *list, bool (*visit)(const char *pattern, const void *context), const void *context)
{
    char *copy = memory_copy(list), *rest = copy;
    bool done = false;
    for (char *pattern; !done && (pattern = strsep(&rest, ","));)
        done = *pattern && visit(pattern, context);
    free(copy);
    return done;
}

/* The variants of the runner's own tests are there for these tests alone. */
static bool is_offered(const struct entry *entry)
{
    return !entry->problem->hidden || getenv("TILELAB_TEST");
}

static bool matches(const char *pattern, const void *entry)
{
    return is_offered(entry) && registry_matches(entry, pattern);
}

bool variants_match(const char *list, const struct entry *entry)
{
    return any_pattern(list, matches, entry);
}

static bool matches_none(const char *pattern, const void *context)
{
    (void)context;
    size_t count;
    const struct entry *entry = registry(&count);
    for (size_t i = 0; i < count; i++)
        if (matches(pattern, &entry[i]))
            return false;
    if (own_is_left_out(pattern))
        return false;
    variants_complain(pattern);
    return true;
}

bool variants_check(const char *list)
{
    if (list[strspn(list, ",")] == '\0')
        return !matches_none(list, NULL);
    return !any_pattern(list, matches_none, NULL);
}

void variants_complain(const char *pattern)
{
    size_t count, shown = 0;
    const struct entry *entry = registry(&count);
    const char **names = memory_allocate(count, sizeof *names);
    for (size_t i = 0; i < count; i++)
        if (!entry[i].problem->hidden)
            names[shown++] = strchr(pattern, '/') ? entry[i].name : entry[i].idea;
    const char *near = suggest_name(pattern, names, shown);
    escape_tell("tilelab: no variant matches '%s'%s", pattern, suggest_words(near));
    free(names);
}
