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

/* What stands between the choices of a list, and between the patterns of a choice. */
static const char OR[] = ",", AND[] = " and ";

/* Takes the part before the next separator off a text, without blanks around it; the caller frees it. NULL at the end
 * of the text. */
static char *next_part(const char **text, const char *separator)
{
    *text += strspn(*text, ", ");
    if (!**text)
        return NULL;
    const char *end = strstr(*text, separator), *begin = *text;
    size_t length = end ? (size_t)(end - begin) : strlen(begin);
    *text += end ? length + strlen(separator) : length;
    while (length > 0 && begin[length - 1] == ' ')
        length--;
    return memory_print("%.*s", (int)length, begin);
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

/* Whether all patterns of a choice match. */
static bool chooses(const char *choice, const struct cell *cell)
{
    bool has = true;
    for (char *pattern; has && (pattern = next_part(&choice, AND)); free(pattern))
        has = matches(pattern, cell);
    return has;
}

bool selection_has(char *const lists[], size_t count, const struct cell *cell)
{
    bool has = count == 0;
    for (size_t i = 0; i < count && !has; i++) {
        const char *rest = lists[i];
        for (char *choice; !has && (choice = next_part(&rest, OR)); free(choice))
            has = chooses(choice, cell);
    }
    return has;
}

bool selection_asks(const struct experiment *experiment, const struct cell *cell)
{
    return selection_has(experiment->only, experiment->onlys, cell) &&
           selection_has(&experiment->within, experiment->within ? 1 : 0, cell);
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

static bool any_cell(bool (*holds)(const char *text, const struct cell *cell), const char *text,
                     const struct grid grids[], size_t length)
{
    for (size_t g = 0; g < length; g++)
        for (size_t i = 0; i < grids[g].count; i++)
            if (holds(text, &grids[g].cell[i]))
                return true;
    return false;
}

/* Whether each pattern of a choice matches a cell, and all of them together match one. */
static bool check_choice(const char *choice, const struct grid grids[], size_t length, FILE *diagnostics)
{
    bool right = true;
    const char *rest = choice;
    for (char *pattern; (pattern = next_part(&rest, AND)); free(pattern))
        if (!any_cell(matches, pattern, grids, length)) {
            complain(pattern, grids, length, diagnostics);
            right = false;
        }
    if (!right || any_cell(chooses, choice, grids, length))
        return right;
    fputs("tilelab: no cell matches all of '", diagnostics);
    escape_put(diagnostics, escape_terminal, choice);
    fputs("'\n", diagnostics);
    return false;
}

bool selection_check(char *const lists[], size_t count, const struct grid grids[], size_t length, FILE *diagnostics)
{
    bool right = true, any = count == 0;
    for (size_t i = 0; i < count; i++) {
        const char *rest = lists[i];
        for (char *choice; (choice = next_part(&rest, OR)); free(choice)) {
            right &= check_choice(choice, grids, length, diagnostics);
            any = true;
        }
    }
    if (!any)
        fputs("tilelab: no pattern is given\n", diagnostics);
    return right && any;
}
