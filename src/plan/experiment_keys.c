/* The readers of an experiment file's keys, except those of axes and exclusions (experiment_values.c).
 * SPDX-License-Identifier: MIT */
#include "experiment_keys.h"

#include "cell.h"
#include "experiment_values.h"
#include "kinds.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { SCHEMA = 1, NAMES_MAX = 512 };

static void set_text(char **to, const char *text)
{
    free(*to);
    *to = memory_copy(text);
}

static void add_text(char ***list, size_t *count, const char *text)
{
    *list = memory_grow(*list, *count + 1, sizeof **list);
    (*list)[(*count)++] = memory_copy(text);
}

static bool contains(char *const *list, size_t count, const char *text)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(list[i], text))
            return true;
    return false;
}

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
        yaml_fault(reader->yaml, node, NULL, "schema %lld is unknown; this program reads schema %d", (long long)schema,
                   SCHEMA);
}

/* Reads one text for both languages, or a map with a text for each language. */
static void read_texts(struct reader *reader, const struct key *key, const struct yaml_node *node, char **en, char **ru)
{
    const struct yaml_node *slot[KEYS] = {[KEY_en] = NULL};
    if (node->kind == YAML_MAP) {
        reader_map(reader, node, IN_TITLE, key->name, slot);
        if (!slot[KEY_en])
            yaml_fault(reader->yaml, node, NULL, "missing key 'en' in '%s'", key->name);
    } else {
        slot[KEY_en] = node;
    }
    const char *text;
    if (slot[KEY_en] && yaml_text(reader->yaml, slot[KEY_en], key->name, &text)) {
        set_text(en, text);
        set_text(ru, text);
    }
    if (slot[KEY_ru] && yaml_text(reader->yaml, slot[KEY_ru], "ru", &text))
        set_text(ru, text);
}

static void read_title(struct reader *reader, const struct key *key, const struct yaml_node *node)
{
    read_texts(reader, key, node, &reader->experiment->title_en, &reader->experiment->title_ru);
}

static void read_about(struct reader *reader, const struct key *key, const struct yaml_node *node)
{
    read_texts(reader, key, node, &reader->experiment->about_en, &reader->experiment->about_ru);
}

static void read_source(struct reader *reader, const struct key *key, const struct yaml_node *node)
{
    const char *text;
    if (!yaml_text(reader->yaml, node, key->name, &text))
        return;
    if (reader_is_name(text))
        set_text(&reader->experiment->source, text);
    else
        yaml_fault(reader->yaml, node, NULL, "'source' takes a name of a-z, 0-9 and '-', not '%s'", text);
}

/* The problem that a routine of BLAS or LAPACK solves, with or without the letter of its precision. NULL: none. */
static const char *problem_of_routine(const char *name)
{
    static const char *const routines[][2] = {{"gemm", "matmul"}, {"syrk", "aat"}, {"getrf", "lu"}, {"gesv", "lu"}};
    for (size_t i = 0; i < sizeof routines / sizeof *routines; i++)
        if (strcasecmp(name, routines[i][0]) == 0 ||
            (*name && strchr("sdSD", *name) && strcasecmp(name + 1, routines[i][0]) == 0))
            return routines[i][1];
    return NULL;
}

/* The kernels are loaded already, by study_file_open. */
static void read_kernels(struct reader *reader, const struct key *key, const struct yaml_node *node)
{
    const char *text;
    yaml_text(reader->yaml, node, key->name, &text);
}

static void add_problem(struct reader *reader, const struct yaml_node *node, const char *name)
{
    struct experiment *experiment = reader->experiment;
    const bool testing = getenv("TILELAB_TEST") != NULL;
    const struct problem *problem = registry_problem(name);
    if (!problem && problem_of_routine(name)) {
        yaml_fault(reader->yaml, node, problem_of_routine(name), "unknown problem '%s'", name);
    } else if (!problem || (problem->hidden && !testing)) {
        const char *names[NAMES_MAX];
        size_t count, known = 0;
        const struct entry *entry = registry(&count);
        for (size_t i = 0; i < count && known < NAMES_MAX; i++)
            if (!entry[i].problem->hidden && (known == 0 || names[known - 1] != entry[i].problem->name))
                names[known++] = entry[i].problem->name;
        yaml_fault_word(reader->yaml, node, name, names, known, "unknown problem '%s'", name);
    } else {
        for (size_t i = 0; i < experiment->problems; i++)
            if (experiment->problem[i] == problem) {
                yaml_fault(reader->yaml, node, NULL, "problem '%s' is given twice", name);
                return;
            }
        experiment->problem = memory_grow(experiment->problem, experiment->problems + 1, sizeof *experiment->problem);
        experiment->problem[experiment->problems++] = problem;
    }
}

static void read_problem(struct reader *reader, const struct key *key, const struct yaml_node *node)
{
    const struct yaml_node *element = reader_first(reader, node, key->name);
    for (const char *text; element; element = reader_next(node, element))
        if (yaml_text(reader->yaml, element, key->name, &text))
            add_problem(reader, element, text);
}

static void read_variant(struct reader *reader, const struct key *key, const struct yaml_node *node)
{
    struct experiment *experiment = reader->experiment;
    const struct yaml_node *element = reader_first(reader, node, key->name);
    for (char *pattern; element; element = reader_next(node, element)) {
        if (!reader_pattern(reader, element, key->name, -1, &pattern))
            continue;
        if (experiment->problems > 1 && !strchr(pattern, '/'))
            yaml_fault(reader->yaml, element, NULL,
                       "an experiment of several problems names a variant with its problem: '%s/%s'",
                       experiment->problem[0]->name, pattern);
        if (contains(experiment->variant, experiment->variants, pattern))
            yaml_fault(reader->yaml, element, NULL, "variant '%s' is given twice", pattern);
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
        if (experiment_has(experiment, &entry[i]) && (!strcmp(entry[i].name, text) || !strcmp(entry[i].idea, text)))
            found = &entry[i];
    bool literally;
    if (!found)
        reader_unknown_variant(reader, node, text);
    else if (experiment->variants && !experiment_selects(experiment, found, &literally))
        yaml_fault(reader->yaml, node, NULL, "the baseline '%s' is not among the experiment's variants", text);
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

static void read_switch(struct reader *reader, const struct key *key, const struct yaml_node *node)
{
    static const char *const words[] = {"no", "yes"};
    const char *text;
    if (!yaml_text(reader->yaml, node, key->name, &text))
        return;
    if (strcmp(text, words[false]) == 0 || strcmp(text, words[true]) == 0)
        *(bool *)measure_field(reader, key) = strcmp(text, words[true]) == 0;
    else
        yaml_fault_word(reader->yaml, node, text, words, 2, "'%s' takes yes or no, not '%s'", key->name, text);
}

static bool has_word(const char *words, const char *word)
{
    const size_t size = strlen(word);
    for (size_t length; (length = strcspn(words += strspn(words, " "), " ")) > 0; words += length)
        if (length == size && memcmp(words, word, size) == 0)
            return true;
    return false;
}

/* Whether a problem has what a kind takes: operations that bound the speed of a variant, or a variant that is a
 * library's, or has threads or a tile. */
static bool has_taken(const struct kind *kind, const struct problem *problem)
{
    const struct cell cell = {.precision = problem->precisions & BIT(F64) ? F64 : F32, .m = 64, .n = 64, .k = 64};
    size_t count;
    const struct entry *entry = registry(&count);
    bool operations = false, library = false, threads = false, tile = false;
    for (size_t i = 0; i < count; i++) {
        operations |= entry[i].problem == problem && entry[i].meta->unit == UNIT_FMA;
        library |= entry[i].problem == problem && entry[i].meta->vendor;
        threads |= entry[i].problem == problem && registry_axes(&entry[i]) & HONOURS(threads);
        tile |= entry[i].problem == problem && registry_axes(&entry[i]) & HONOURS(tile);
    }
    return (!has_word(kind->takes, "operations") || (operations && problem->flops(&cell) > 0)) &&
           (!has_word(kind->takes, "library") || library) && (!has_word(kind->takes, "threads") || threads) &&
           (!has_word(kind->takes, "tile") || tile);
}

/* Whether a kind can show something of an experiment. One without a known problem was told already. */
static bool fits(const struct kind *kind, const struct experiment *experiment)
{
    bool any = experiment->problems == 0;
    for (size_t i = 0; i < experiment->problems && !any; i++)
        any = (!*kind->problems || has_word(kind->problems, experiment->problem[i]->name)) &&
              has_taken(kind, experiment->problem[i]);
    return any;
}

/* Whether a name is that of a kind that can show something of the experiment. If not, this is told. A program that was
 * copied without the files of the report knows no kinds, and takes any name. */
static bool check_kind(struct reader *reader, const struct key *key, const struct yaml_node *node, const char *name,
                       const struct kinds *kinds)
{
    const char *fitting[NAMES_MAX];
    size_t known = 0;
    bool exists = false;
    for (size_t i = 0; i < kinds->count && known < NAMES_MAX; i++) {
        exists |= strcmp(kinds->kind[i].name, name) == 0;
        if (fits(&kinds->kind[i], reader->experiment))
            fitting[known++] = kinds->kind[i].name;
    }
    if (kinds->count == 0 ? reader_is_name(name) : contains((char *const *)fitting, known, name))
        return true;
    yaml_fault_word(reader->yaml, node, name, fitting, known,
                    exists ? "the %.*s '%s' shows nothing of this problem" : "unknown %.*s '%s'",
                    (int)strlen(key->name) - 1, key->name, name);
    return false;
}

static void read_kinds(struct reader *reader, const struct key *key, const struct yaml_node *node,
                       const struct kinds *kinds, char ***list, size_t *length)
{
    const struct yaml_node *element = reader_first(reader, node, key->name);
    for (const char *text; element; element = reader_next(node, element)) {
        if (!yaml_text(reader->yaml, element, key->name, &text) || !check_kind(reader, key, element, text, kinds))
            continue;
        if (contains(*list, *length, text))
            yaml_fault(reader->yaml, element, NULL, "'%s' is given twice", text);
        else
            add_text(list, length, text);
    }
}

static void read_figures(struct reader *reader, const struct key *key, const struct yaml_node *node)
{
    struct experiment *experiment = reader->experiment;
    read_kinds(reader, key, node, kinds_of_figures(), &experiment->figure, &experiment->figures);
}

static void read_tables(struct reader *reader, const struct key *key, const struct yaml_node *node)
{
    struct experiment *experiment = reader->experiment;
    read_kinds(reader, key, node, kinds_of_tables(), &experiment->table, &experiment->tables);
}

void experiment_keys_read(struct reader *reader, enum key_id id, const struct yaml_node *node)
{
    static void (*const readers[KEYS])(struct reader * reader, const struct key *key, const struct yaml_node *node) = {
#define KEY(id, key, where, reader, ...) reader,
#include "keys.def"
#undef KEY
    };
    readers[id](reader, &reader_keys[id], node);
}
