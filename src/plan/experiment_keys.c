/* The keys of an experiment file and their readers; those of axes and exclusions are in
 * experiment_values.c.
 * SPDX-License-Identifier: MIT */
#include "experiment_parts.h"

#include <stdlib.h>
#include <string.h>

enum { SCHEMA = 1, NAMES_MAX = 512 };

static const char *const figure_names[] = {
#define FIGURE(name, shows) name,
#define TABLE(name, shows)
#include "../figures/kinds.def"
#undef FIGURE
#undef TABLE
};
static const char *const table_names[] = {
#define FIGURE(name, shows)
#define TABLE(name, shows) name,
#include "../figures/kinds.def"
#undef FIGURE
#undef TABLE
};
enum { FIGURES = sizeof figure_names / sizeof *figure_names, TABLES = sizeof table_names / sizeof *table_names };

static const struct {
    unsigned where;
    const char *name;
} maps[] = {{IN_FILE, "the top level"}, {IN_GRID, "'grid'"},
            {IN_MEASURE, "'measure'"},  {IN_PROFILE, "'quick' or 'record'"},
            {IN_TITLE, "'title'"},      {IN_VALUE, "the values of an axis"},
            {IN_EXCLUDE, "'exclude'"},  {IN_BOUND, "a condition of 'exclude'"}};
enum { MAPS = sizeof maps / sizeof *maps };

/* ---- maps and lists */

static void unknown_key(struct reader *reader, const struct yaml_node *node, enum where where, const char *map)
{
    const char *known[KEYS];
    size_t count = 0;
    for (int i = 0; i < KEYS; i++) {
        if (keys[i].where & where)
            known[count++] = keys[i].name;
        if (strcmp(keys[i].name, node->text))
            continue;
        for (size_t j = 0; j < MAPS; j++)
            if (keys[i].where & maps[j].where) {
                yaml_fault(reader->yaml, node, NULL, "key '%s' does not belong in %s%s%s, but in %s", node->text,
                           where == IN_FILE ? "the top level" : "'", where == IN_FILE ? "" : map,
                           where == IN_FILE ? "" : "'", maps[j].name);
                return;
            }
    }
    yaml_fault(reader->yaml, node, nearest_name(node->text, known, count), "unknown key '%s'", node->text);
}

bool read_map(struct reader *reader, const struct yaml_node *map, enum where where, const char *name,
              const struct yaml_node *slot[KEYS])
{
    if (map->kind != YAML_MAP) {
        yaml_fault(reader->yaml, map, NULL, "%s%s%s takes a map of keys and values",
                   where == IN_FILE ? "an experiment file" : "'", where == IN_FILE ? "" : name,
                   where == IN_FILE ? "" : "'");
        return false;
    }
    for (const struct yaml_node *node = map->child; node; node = node->next->next) {
        int id = 0;
        while (id < KEYS && (!(keys[id].where & where) || strcmp(keys[id].name, node->text)))
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

const struct yaml_node *elements(struct reader *reader, const struct yaml_node *node, const char *name)
{
    if (node->kind != YAML_LIST)
        return node;
    if (!node->child)
        yaml_fault(reader->yaml, node, NULL, "the list of '%s' is empty", name);
    return node->child;
}

static void set_text(char **to, const char *text)
{
    free(*to);
    *to = copy_text(text);
}

static void add_text(char ***list, size_t *count, const char *text)
{
    *list = grow_memory(*list, *count + 1, sizeof **list);
    (*list)[(*count)++] = copy_text(text);
}

static bool contains(char *const *list, size_t count, const char *text)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(list[i], text))
            return true;
    return false;
}

/* ---- variants */

/* The name, or the family ("omp-*"), that a word which matches nothing was meant to be. */
static const char *nearest_variant(const struct experiment *experiment, const char *word, char (*family)[48])
{
    const char *names[2 * NAMES_MAX];
    size_t count, known = 0;
    const struct entry *entry = registry(&count);
    const bool full = strchr(word, '/') != NULL;
    for (size_t i = 0; i < count && known < NAMES_MAX; i++) {
        if (!of_problems(experiment, &entry[i]))
            continue;
        const char *name = full ? entry[i].name : entry[i].idea;
        names[known] = name;
        if (strpbrk(word, "*?[")) {
            const size_t stem = (size_t)(entry[i].idea - name) + strcspn(entry[i].idea, "-");
            snprintf(family[known], sizeof *family, "%.*s-*", (int)stem, name);
            names[known] = family[known];
        }
        known++;
    }
    return nearest_name(word, names, known);
}

static void unknown_variant(struct reader *reader, const struct yaml_node *node, const char *word)
{
    const struct experiment *experiment = reader->experiment;
    char family[NAMES_MAX][48];
    const char *nearest = nearest_variant(experiment, word, family);
    if (strpbrk(word, "*?["))
        yaml_fault(reader->yaml, node, nearest, "no variant of '%s' matches '%s'", experiment->problem[0]->name, word);
    else
        yaml_fault(reader->yaml, node, nearest, "unknown variant '%s'", word);
}

bool read_pattern(struct reader *reader, const struct yaml_node *node, const char *name, int axis, char **pattern)
{
    const struct experiment *experiment = reader->experiment;
    const char *text;
    if (!yaml_text(reader->yaml, node, name, &text))
        return false;
    size_t count, matches = 0, honouring = 0;
    const struct entry *entry = registry(&count);
    for (size_t i = 0; i < count; i++)
        if (of_problems(experiment, &entry[i]) && entry_matches(&entry[i], text)) {
            matches++;
            honouring += axis < 0 || entry_axes(&entry[i]) & BIT(axis);
        }
    if (!matches && experiment->problems) {
        unknown_variant(reader, node, text);
        return false;
    }
    if (matches && !honouring) {
        yaml_fault(reader->yaml, node, NULL, "no variant that matches '%s' has the axis '%s'", text, axes[axis].key);
        return false;
    }
    *pattern = copy_text(text);
    return true;
}

/* ---- readers, one a key */

static void read_nothing(struct reader *reader, const struct key *key, const struct yaml_node *node)
{
    (void)reader;
    (void)key;
    (void)node;
}

static void read_schema(struct reader *reader, const struct key *key, const struct yaml_node *node)
{
    int64_t schema;
    if (yaml_integer(reader->yaml, node, key->name, 1, INT32_MAX, &schema) && schema != SCHEMA)
        yaml_fault(reader->yaml, node, NULL, "schema %lld is not known; this program reads schema %d",
                   (long long)schema, SCHEMA);
}

static void read_title(struct reader *reader, const struct key *key, const struct yaml_node *node)
{
    struct experiment *experiment = reader->experiment;
    const struct yaml_node *slot[KEYS] = {[KEY_en] = NULL};
    if (node->kind == YAML_MAP) {
        read_map(reader, node, IN_TITLE, key->name, slot);
        if (!slot[KEY_en])
            yaml_fault(reader->yaml, node, NULL, "missing key 'en' in 'title'");
    } else {
        slot[KEY_en] = node;
    }
    const char *text;
    if (slot[KEY_en] && yaml_text(reader->yaml, slot[KEY_en], key->name, &text)) {
        set_text(&experiment->title_en, text);
        set_text(&experiment->title_ru, text);
    }
    if (slot[KEY_ru] && yaml_text(reader->yaml, slot[KEY_ru], "ru", &text))
        set_text(&experiment->title_ru, text);
}

bool well_named(const char *text)
{
    return *text && !text[strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-")];
}

static void read_source(struct reader *reader, const struct key *key, const struct yaml_node *node)
{
    const char *text;
    if (!yaml_text(reader->yaml, node, key->name, &text))
        return;
    if (well_named(text))
        set_text(&reader->experiment->source, text);
    else
        yaml_fault(reader->yaml, node, NULL, "'source' is a name of a-z, 0-9 and '-', not '%s'", text);
}

static void add_problem(struct reader *reader, const struct yaml_node *node, const char *name)
{
    struct experiment *experiment = reader->experiment;
    const bool testing = getenv("TILELAB_TEST") != NULL;
    const struct problem *problem = problem_find(name);
    if (!problem || (problem->hidden && !testing)) {
        const char *names[NAMES_MAX];
        size_t count, known = 0;
        const struct entry *entry = registry(&count);
        for (size_t i = 0; i < count && known < NAMES_MAX; i++)
            if (!entry[i].problem->hidden)
                names[known++] = entry[i].problem->name;
        yaml_fault(reader->yaml, node, nearest_name(name, names, known), "unknown problem '%s'", name);
    } else {
        for (size_t i = 0; i < experiment->problems; i++)
            if (experiment->problem[i] == problem) {
                yaml_fault(reader->yaml, node, NULL, "problem '%s' is given twice", name);
                return;
            }
        experiment->problem = grow_memory(experiment->problem, experiment->problems + 1, sizeof *experiment->problem);
        experiment->problem[experiment->problems++] = problem;
    }
}

static void read_problem(struct reader *reader, const struct key *key, const struct yaml_node *node)
{
    const struct yaml_node *element = elements(reader, node, key->name);
    for (const char *text; element; element = next_element(node, element))
        if (yaml_text(reader->yaml, element, key->name, &text))
            add_problem(reader, element, text);
}

static void read_variant(struct reader *reader, const struct key *key, const struct yaml_node *node)
{
    struct experiment *experiment = reader->experiment;
    const struct yaml_node *element = elements(reader, node, key->name);
    for (char *pattern; element; element = next_element(node, element)) {
        if (!read_pattern(reader, element, key->name, -1, &pattern))
            continue;
        if (experiment->problems > 1 && !strchr(pattern, '/'))
            yaml_fault(reader->yaml, element, NULL, "with several problems a variant carries its own, '%s/%s'",
                       experiment->problem[0]->name, pattern);
        if (contains(experiment->variant, experiment->variants, pattern))
            yaml_fault(reader->yaml, element, NULL, "%s is given twice", pattern);
        add_text(&experiment->variant, &experiment->variants, pattern);
        free(pattern);
    }
}

static void read_baseline(struct reader *reader, const struct key *key, const struct yaml_node *node)
{
    struct experiment *experiment = reader->experiment;
    const char *text;
    if (!yaml_text(reader->yaml, node, key->name, &text) || !experiment->problems)
        return;
    const struct entry *found = NULL;
    size_t count;
    const struct entry *entry = registry(&count);
    for (size_t i = 0; i < count && !found; i++)
        if (of_problems(experiment, &entry[i]) && (!strcmp(entry[i].name, text) || !strcmp(entry[i].idea, text)))
            found = &entry[i];
    bool literally;
    if (!found)
        unknown_variant(reader, node, text);
    else if (experiment->variants && !experiment_selects(experiment, found, &literally))
        yaml_fault(reader->yaml, node, NULL, "the baseline '%s' is none of the experiment's variants", text);
    else
        set_text(&experiment->baseline, found->name);
}

static void *measure_field(struct reader *reader, const struct key *key)
{
    return (char *)&reader->experiment->measure + key->argument;
}

static void read_count(struct reader *reader, const struct key *key, const struct yaml_node *node)
{
    int64_t count;
    if (yaml_integer(reader->yaml, node, key->name, 1, 1000, &count))
        *(int *)measure_field(reader, key) = (int)count;
}

static void read_share(struct reader *reader, const struct key *key, const struct yaml_node *node)
{
    yaml_percentage(reader->yaml, node, key->name, measure_field(reader, key));
}

static void read_time(struct reader *reader, const struct key *key, const struct yaml_node *node)
{
    yaml_duration(reader->yaml, node, key->name, measure_field(reader, key));
}

static void read_kinds(struct reader *reader, const struct key *key, const struct yaml_node *node,
                       const char *const *names, size_t count, char ***list, size_t *length)
{
    const struct yaml_node *element = elements(reader, node, key->name);
    for (const char *text; element; element = next_element(node, element)) {
        if (!yaml_text(reader->yaml, element, key->name, &text))
            continue;
        if (!contains((char *const *)names, count, text))
            yaml_fault(reader->yaml, element, nearest_name(text, names, count), "unknown %.*s '%s'",
                       (int)strlen(key->name) - 1, key->name, text);
        else if (contains(*list, *length, text))
            yaml_fault(reader->yaml, element, NULL, "%s is given twice", text);
        else
            add_text(list, length, text);
    }
}

static void read_figures(struct reader *reader, const struct key *key, const struct yaml_node *node)
{
    struct experiment *experiment = reader->experiment;
    read_kinds(reader, key, node, figure_names, FIGURES, &experiment->figure, &experiment->figures);
}

static void read_tables(struct reader *reader, const struct key *key, const struct yaml_node *node)
{
    struct experiment *experiment = reader->experiment;
    read_kinds(reader, key, node, table_names, TABLES, &experiment->table, &experiment->tables);
}

const struct key keys[KEYS] = {
#define KEY(id, key, where, reader, argument) {key, where, reader, argument},
#include "keys.def"
#undef KEY
};
