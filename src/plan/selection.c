/* Which cells of an experiment the command line asks for.
 * SPDX-License-Identifier: MIT */
#include "selection.h"

#include "base/escape.h"
#include "base/memory.h"
#include "base/suggest.h"
#include "base/text_set.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_SIZE = 512 };

/* Takes the next pattern off a list; the caller frees it. NULL at the end of the list. */
static char *next_pattern(const char **list)
{
    *list += strspn(*list, ", ");
    const size_t length = strcspn(*list, ",");
    if (length == 0)
        return NULL;
    char *pattern = memory_print("%.*s", (int)length, *list);
    *list += length;
    return pattern;
}

/* Whether a pattern matches a word of the key, such as "n=512", or the whole key. */
static bool matches_key(const char *pattern, const struct cell *cell)
{
    char key[KEY_SIZE];
    cell_key(cell, key, sizeof key);
    bool matches = fnmatch(pattern, key, 0) == 0;
    for (char *rest = key, *word; !matches && (word = strsep(&rest, " "));)
        matches = fnmatch(pattern, word, 0) == 0;
    return matches;
}

static bool matches(const char *pattern, const struct cell *cell)
{
    return registry_matches(cell->entry, pattern) || matches_key(pattern, cell);
}

bool selection_has(char *const lists[], size_t count, const struct cell *cell)
{
    bool has = true;
    for (size_t i = 0; i < count && has; i++) {
        const char *rest = lists[i];
        has = false;
        for (char *pattern; !has && (pattern = next_pattern(&rest)); free(pattern))
            has = matches(pattern, cell);
    }
    return has;
}

/* Adds the names of a cell that a pattern can mean: its variant, with and without the problem, and the words of its
 * key. */
static void add_names(struct text_set *names, const struct cell *cell, bool is_pattern)
{
    const char *idea = cell->entry->idea;
    char key[KEY_SIZE];
    if (is_pattern && strchr(idea, '-'))
        text_set_add(names, memory_print("%.*s-*", (int)strcspn(idea, "-"), idea));
    text_set_add(names, memory_copy(idea));
    text_set_add(names, memory_copy(cell->entry->name));
    cell_key(cell, key, sizeof key);
    for (char *rest = key, *word; (word = strsep(&rest, " "));)
        text_set_add(names, memory_copy(word));
}

static void complain(const char *pattern, const struct grid grids[], size_t length, FILE *out)
{
    struct text_set names = {NULL, 0, NULL};
    for (size_t g = 0; g < length; g++)
        for (size_t i = 0; i < grids[g].count; i++)
            add_names(&names, &grids[g].cell[i], strpbrk(pattern, "*?[") != NULL);
    const char *near = suggest_name(pattern, names.text, names.count);
    fputs("tilelab: no cell matches '", out);
    escape_put(out, escape_terminal, pattern);
    fprintf(out, "'%s\n", suggest_words(near));
    text_set_free(&names);
}

static bool any_matches(const char *pattern, const struct grid grids[], size_t length)
{
    for (size_t g = 0; g < length; g++)
        for (size_t i = 0; i < grids[g].count; i++)
            if (matches(pattern, &grids[g].cell[i]))
                return true;
    return false;
}

static bool any_is_asked(char *const lists[], size_t count, const struct grid grids[], size_t length)
{
    for (size_t g = 0; g < length; g++)
        for (size_t i = 0; i < grids[g].count; i++)
            if (selection_has(lists, count, &grids[g].cell[i]))
                return true;
    return false;
}

bool selection_check(char *const lists[], size_t count, const struct grid grids[], size_t length, FILE *diagnostics)
{
    bool right = true;
    for (size_t i = 0; i < count; i++) {
        const char *rest = lists[i];
        for (char *pattern; (pattern = next_pattern(&rest)); free(pattern))
            if (!any_matches(pattern, grids, length)) {
                complain(pattern, grids, length, diagnostics);
                right = false;
            }
    }
    if (!right || any_is_asked(lists, count, grids, length))
        return right;
    fputs("tilelab: no cell matches all of the patterns together\n", diagnostics);
    return false;
}
