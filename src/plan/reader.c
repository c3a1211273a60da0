/* What the readers of an experiment file's keys share.
 * SPDX-License-Identifier: MIT */
#include "reader.h"

#include "cell.h"
#include "base/memory.h"
#include "base/suggest.h"
#include "own/own.h"

#include <stdlib.h>
#include <string.h>

enum { NAMES_MAX = 512 };

const struct key reader_keys[KEYS] = {
#define KEY(id, key, where, reader, argument, takes, meaning) {key, where, argument, takes, meaning},
#include "keys.def"
#undef KEY
};

/* Where the keys of a map stand, for diagnostics. */
static const struct {
    unsigned where;
    const char *place;
} maps[] = {{IN_FILE, "at the top level"},       {IN_GRID, "in 'grid'"},
            {IN_MEASURE, "in 'measure'"},        {IN_PROFILE, "in 'quick' or 'record'"},
            {IN_TITLE, "in 'title' or 'about'"}, {IN_VALUE, "in the values of an axis"},
            {IN_EXCLUDE, "in 'exclude'"},        {IN_BOUND, "in a condition of 'exclude'"}};
enum { MAPS = sizeof maps / sizeof *maps };

static void unknown_key(struct reader *reader, const struct yaml_node *node, enum where where, const char *map)
{
    const char *known[KEYS];
    size_t count = 0;
    for (int i = 0; i < KEYS; i++) {
        if (reader_keys[i].where & where)
            known[count++] = reader_keys[i].name;
        if (strcmp(reader_keys[i].name, node->text))
            continue;
        for (size_t j = 0; j < MAPS; j++)
            if (reader_keys[i].where & maps[j].where) {
                const bool top = where == IN_FILE;
                yaml_fault(reader->yaml, node, NULL, "key '%s' belongs %s, not %s%s%s", node->text, maps[j].place,
                           top ? "at the top level" : "in '", top ? "" : map, top ? "" : "'");
                return;
            }
    }
    yaml_fault(reader->yaml, node, suggest_name(node->text, known, count), "unknown key '%s'", node->text);
}

bool reader_map(struct reader *reader, const struct yaml_node *map, enum where where, const char *name,
                const struct yaml_node *slot[KEYS])
{
    if (map->kind != YAML_MAP) {
        if (where == IN_FILE)
            yaml_fault(reader->yaml, map, NULL, "an experiment file is a map of keys and values");
        else
            yaml_fault(reader->yaml, map, NULL, "'%s' takes a map of keys and values", name);
        return false;
    }
    for (const struct yaml_node *node = map->child; node; node = node->next->next) {
        int id = 0;
        while (id < KEYS && (!(reader_keys[id].where & where) || strcmp(reader_keys[id].name, node->text)))
            id++;
        if (id == KEYS)
            unknown_key(reader, node, where, name);
        else if (slot[id])
            yaml_fault(reader->yaml, node, NULL, "key '%s' is given twice, first in line %d", node->text,
                       slot[id]->line);
        else
            slot[id] = node->next;
    }
    return true;
}

const struct yaml_node *reader_first(struct reader *reader, const struct yaml_node *node, const char *name)
{
    if (node->kind != YAML_LIST)
        return node;
    if (!node->child)
        yaml_fault(reader->yaml, node, NULL, "the list of '%s' is empty", name);
    return node->child;
}

/* The name of a variant, or of a family ("omp-*"), that is nearest to a word which matches nothing. A variant without
 * such an ending ("omp") is no family. The texts of families are written to `family`. */
static const char *nearest_variant(const struct experiment *experiment, const char *word, char (*family)[48])
{
    const char *names[2 * NAMES_MAX];
    size_t count, known = 0;
    const struct entry *entry = registry(&count);
    const bool full = strchr(word, '/') != NULL;
    for (size_t i = 0; i < count && known < NAMES_MAX; i++) {
        if (!experiment_has(experiment, &entry[i]))
            continue;
        const char *name = full ? entry[i].name : entry[i].idea;
        names[known] = name;
        if (strpbrk(word, "*?[") && strchr(entry[i].idea, '-')) {
            const size_t stem = (size_t)(entry[i].idea - name) + strcspn(entry[i].idea, "-");
            snprintf(family[known], sizeof *family, "%.*s-*", (int)stem, name);
            names[known] = family[known];
        }
        known++;
    }
    return suggest_name(word, names, known);
}

void reader_unknown_variant(struct reader *reader, const struct yaml_node *node, const char *word)
{
    const struct experiment *experiment = reader->experiment;
    char family[NAMES_MAX][48];
    const char *nearest = nearest_variant(experiment, word, family);
    if (strpbrk(word, "*?["))
        yaml_fault(reader->yaml, node, nearest, "no variant of '%s' matches '%s'",
                   experiment->problems == 1 ? experiment->problem[0]->name : experiment->name, word);
    else
        yaml_fault(reader->yaml, node, nearest, "unknown variant '%s'", word);
}

bool reader_pattern(struct reader *reader, const struct yaml_node *node, const char *name, int axis, char **pattern)
{
    const struct experiment *experiment = reader->experiment;
    const char *text;
    if (!yaml_text(reader->yaml, node, name, &text))
        return false;
    size_t count, matches = 0, supporting = 0;
    const struct entry *entry = registry(&count);
    for (size_t i = 0; i < count; i++)
        if (experiment_has(experiment, &entry[i]) && registry_matches(&entry[i], text)) {
            matches++;
            supporting += axis < 0 || registry_axes(&entry[i]) & BIT(axis);
        }
    if (!matches && experiment->problems && own_is_left_out(text))
        return false; /* the compiler's words were told */
    if (!matches && experiment->problems) {
        reader_unknown_variant(reader, node, text);
        return false;
    }
    if (matches && !supporting) {
        yaml_fault(reader->yaml, node, NULL, "no variant that matches '%s' has the axis '%s'", text,
                   cell_axes[axis].key);
        return false;
    }
    *pattern = memory_copy(text);
    return true;
}

bool reader_is_name(const char *text)
{
    return *text && !text[strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-")];
}
