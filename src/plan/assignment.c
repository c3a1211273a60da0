/* An assignment: what students hand in, how it is measured, and which points it gets.
 * SPDX-License-Identifier: MIT */
#include "assignment.h"

#include "registry.h"
#include "base/memory.h"
#include "base/yaml.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE_MOST = 1 << 20, POINTS_MOST = 1000000 };

/* ---- Values ---- */

static bool read_list(struct yaml *yaml, const struct yaml_node *node, const char *name, struct number_list *list)
{
    const struct yaml_node *one = node->kind == YAML_LIST ? node->child : node;
    list->count = 0;
    for (; one; one = node->kind == YAML_LIST ? one->next : NULL) {
        if (list->count == NUMBER_LIST_MOST) {
            yaml_fault(yaml, one, NULL, "'%s' takes at most %d numbers", name, NUMBER_LIST_MOST);
            return false;
        }
        if (!yaml_integer(yaml, one, name, 1, SIZE_MOST, &list->value[list->count]))
            return false;
        for (int i = 0; i < list->count; i++)
            if (list->value[i] == list->value[list->count])
                yaml_fault(yaml, one, NULL, "'%s' has %s twice", name, one->text);
        list->count++;
    }
    if (list->count == 0)
        yaml_fault(yaml, node, NULL, "'%s' takes a number or a list of numbers, not an empty list", name);
    return list->count > 0;
}

/* Reads "512MiB" or "4GiB". */
static bool read_memory(struct yaml *yaml, const struct yaml_node *node, const char *name, int64_t *bytes)
{
    int64_t number = 0;
    const char *text = node->kind == YAML_SCALAR ? node->text : "";
    const size_t digits = strspn(text, "0123456789");
    const int shift = strcmp(text + digits, "MiB") == 0 ? 20 : strcmp(text + digits, "GiB") == 0 ? 30 : 0;
    if (shift && digits > 0 && digits < 7 && number_read_count(text, digits, &number) && number > 0) {
        *bytes = number << shift;
        return true;
    }
    yaml_fault(yaml, node, NULL, "'%s' takes a value such as 512MiB or 4GiB", name);
    return false;
}

/* ---- Maps ---- */

enum kind { TEXT, COUNT, LIST, DURATION, MEMORY, POINTS, LIMITS };

struct key {
    const char *name;
    enum kind kind;
    bool required;
    size_t offset;     /* of the field to fill */
    int64_t low, high; /* of COUNT */
};
#define FIELD(field) offsetof(struct assignment, field)

static const struct key file_keys[] = {
    {"schema", COUNT, true, FIELD(schema), 1, 1},
    {"title", TEXT, true, FIELD(title), 0, 0},
    {"problem", TEXT, true, FIELD(problem), 0, 0},
    {"precision", TEXT, true, FIELD(precision), 0, 0},
    {"variant", TEXT, true, FIELD(variant), 0, 0},
    {"baseline", TEXT, true, FIELD(baseline), 0, 0},
    {"threads", COUNT, false, FIELD(threads), 1, 4096},
    {"shown", LIST, true, FIELD(shown), 0, 0},
    {"hidden", LIST, false, FIELD(hidden), 0, 0},
    {"verified", LIST, false, FIELD(verified), 0, 0},
    {"seeds", LIST, false, FIELD(seeds), 0, 0},
    {"points", POINTS, true, 0, 0, 0},
    {"limits", LIMITS, false, 0, 0, 0},
    {"rounds", COUNT, false, FIELD(rounds), 3, 100},
    {"most-rounds", COUNT, false, FIELD(most_rounds), 3, 1000},
};
static const struct key limit_keys[] = {
    {"time", DURATION, false, FIELD(time_s), 0, 0},
    {"memory", MEMORY, false, FIELD(memory_bytes), 0, 0},
    {"processes", COUNT, false, FIELD(processes), 1, 100000},
};
enum { FILE_KEYS = sizeof file_keys / sizeof *file_keys, LIMIT_KEYS = sizeof limit_keys / sizeof *limit_keys };

static void read_map(struct yaml *yaml, const struct yaml_node *map, const char *name, const struct key *keys,
                     size_t count, struct assignment *assignment);

/* Reads a ratio with its points. */
static void read_level(struct yaml *yaml, const struct yaml_node *key, struct assignment *assignment)
{
    struct assignment_level level;
    if (!yaml_decimal(yaml, key, "a ratio of 'points'", 1, (int64_t)1000 * DECIMAL_ONE, &level.ratio) ||
        !yaml_decimal(yaml, key->next, key->text, 0, (int64_t)POINTS_MOST * DECIMAL_ONE, &level.points))
        return;
    const struct assignment_level *before = assignment->levels ? &assignment->level[assignment->levels - 1] : NULL;
    if (assignment->levels == ASSIGNMENT_LEVELS_MOST)
        yaml_fault(yaml, key, NULL, "'points' takes at most %d ratios", ASSIGNMENT_LEVELS_MOST);
    else if (before && level.ratio <= before->ratio)
        yaml_fault(yaml, key, NULL, "the ratios of 'points' ascend, but %s is not above the one before", key->text);
    else if (level.points < (before ? before->points : assignment->right))
        yaml_fault(yaml, key->next, NULL, "a faster submission gets no fewer points");
    else
        assignment->level[assignment->levels++] = level;
}

/* Reads points: those of `failed`, `built` and `right`, and then those of ratios. */
static void read_points(struct yaml *yaml, const struct yaml_node *map, struct assignment *assignment)
{
    const struct {
        const char *name;
        int64_t *points;
    } named[] = {{"failed", &assignment->failed}, {"built", &assignment->built}, {"right", &assignment->right}};
    if (map->kind != YAML_MAP) {
        yaml_fault(yaml, map, NULL, "'points' takes a map, such as {right: 50, 0.5: 70, 1: 90}");
        return;
    }
    for (const struct yaml_node *key = map->child; key; key = key->next->next) {
        size_t i = 0;
        while (i < 3 && strcmp(named[i].name, key->text) != 0)
            i++;
        if (i == 3)
            read_level(yaml, key, assignment);
        else if (assignment->levels > 0)
            yaml_fault(yaml, key, NULL, "'%s' stands before the ratios", key->text);
        else
            yaml_decimal(yaml, key->next, key->text, 0, (int64_t)POINTS_MOST * DECIMAL_ONE, named[i].points);
    }
    if (assignment->failed > assignment->built || assignment->built > assignment->right)
        yaml_fault(yaml, map, NULL, "'built' gives no fewer points than 'failed', and 'right' no fewer than 'built'");
    if (assignment->levels == 0)
        yaml_fault(yaml, map, NULL, "'points' names no ratio to the baseline");
}

static void read_value(struct yaml *yaml, const struct yaml_node *value, const struct key *key,
                       struct assignment *assignment)
{
    void *field = (char *)assignment + key->offset;
    const char *text;
    switch (key->kind) {
    case TEXT:
        if (yaml_text(yaml, value, key->name, &text)) {
            free(*(char **)field);
            *(char **)field = memory_copy(text);
        }
        break;
    case COUNT:
        yaml_integer(yaml, value, key->name, key->low, key->high, field);
        break;
    case LIST:
        read_list(yaml, value, key->name, field);
        break;
    case DURATION:
        yaml_duration(yaml, value, key->name, field);
        break;
    case MEMORY:
        read_memory(yaml, value, key->name, field);
        break;
    case POINTS:
        read_points(yaml, value, assignment);
        break;
    case LIMITS:
        read_map(yaml, value, key->name, limit_keys, LIMIT_KEYS, assignment);
        break;
    }
}

static void read_map(struct yaml *yaml, const struct yaml_node *map, const char *name, const struct key *keys,
                     size_t count, struct assignment *assignment)
{
    bool seen[FILE_KEYS] = {false};
    const char *names[FILE_KEYS];
    for (size_t i = 0; i < count; i++)
        names[i] = keys[i].name;
    if (map->kind != YAML_MAP) {
        yaml_fault(yaml, map, NULL, "%s is a map of keys and values", name);
        return;
    }
    for (const struct yaml_node *node = map->child; node; node = node->next->next) {
        size_t i = 0;
        while (i < count && strcmp(names[i], node->text) != 0)
            i++;
        if (i == count) {
            yaml_fault_word(yaml, node, node->text, names, count, "unknown key '%s'", node->text);
            continue;
        }
        if (seen[i])
            yaml_fault(yaml, node, NULL, "'%s' is given twice", names[i]);
        seen[i] = true;
        read_value(yaml, node->next, &keys[i], assignment);
    }
    for (size_t i = 0; i < count; i++)
        if (keys[i].required && !seen[i])
            yaml_fault(yaml, map, NULL, "missing key '%s'", names[i]);
}

/* ---- What the values have to do with each other ---- */

/* The value of a key that the file has. */
static const struct yaml_node *value_of(const struct yaml *yaml, const char *name)
{
    const struct yaml_node *key = yaml_root(yaml)->child;
    while (strcmp(key->text, name) != 0)
        key = key->next->next;
    return key->next;
}

/* Notes a baseline that is no variant of the problem, and a submission that has the name of one. */
static void check_variants(struct yaml *yaml, const struct assignment *assignment)
{
    size_t entries, names = 0;
    const struct entry *entry = registry(&entries);
    const char **name = memory_allocate(entries, sizeof *name);
    bool has_baseline = false, has_variant = false, is_own = false, has_threads = false;
    for (size_t i = 0; i < entries; i++)
        if (strcmp(entry[i].problem->name, assignment->problem) == 0) {
            name[names++] = entry[i].idea;
            const bool is_baseline = strcmp(entry[i].idea, assignment->baseline) == 0;
            has_baseline |= is_baseline;
            is_own |= is_baseline && entry[i].objects;
            has_threads |= is_baseline && entry[i].meta->axes & HONOURS(threads);
            has_variant |= strcmp(entry[i].idea, assignment->variant) == 0;
        }
    if (!has_baseline)
        yaml_fault_word(yaml, value_of(yaml, "baseline"), assignment->baseline, name, names,
                        "the baseline '%s' is no variant of %s", assignment->baseline, assignment->problem);
    else if (is_own)
        yaml_fault(yaml, value_of(yaml, "baseline"), NULL,
                   "the baseline is a kernel of --kernels, which the sandbox of a submission does not have");
    else if (assignment->threads > 0 && !has_threads)
        yaml_fault(yaml, value_of(yaml, "threads"), NULL, "the baseline '%s' has no axis 'threads'",
                   assignment->baseline);
    if (has_variant)
        yaml_fault(yaml, value_of(yaml, "variant"), NULL,
                   "'%s' is a variant of tilelab itself: what is handed in has another name", assignment->variant);
    free(name);
}

/* Whether all rounds together can have an interval: whether even the range of all their ratios misses the true one
 * rarely enough. */
static bool gives_interval(const struct assignment *assignment)
{
    const int64_t series = assignment->most_rounds / assignment->rounds;
    return 2 * pow(0.5, (double)(series * assignment->rounds)) <= ASSIGNMENT_ERROR / (double)series;
}

static void check(struct yaml *yaml, const struct assignment *assignment)
{
    static const char *const precisions[] = {"f32", "f64", "i32"};
    int at = 0;
    while (at < PRECISIONS && strcmp(precisions[at], assignment->precision) != 0)
        at++;
    if (at == PRECISIONS)
        yaml_fault_word(yaml, value_of(yaml, "precision"), assignment->precision, precisions, PRECISIONS,
                        "unknown precision '%s'", assignment->precision);
    const struct problem *problem = registry_problem(assignment->problem);
    if (!problem || problem->hidden || problem->probe)
        yaml_fault(yaml, value_of(yaml, "problem"), NULL, "unknown problem '%s'; `tilelab list` shows the names",
                   assignment->problem);
    else
        check_variants(yaml, assignment);
    if (assignment->variant[strspn(assignment->variant, "abcdefghijklmnopqrstuvwxyz0123456789-")])
        yaml_fault(yaml, value_of(yaml, "variant"), NULL,
                   "'variant' is a name of a-z, 0-9 and '-' such as omp-mine, without the problem");
    if (assignment->most_rounds < assignment->rounds)
        yaml_fault(yaml, yaml_root(yaml), NULL, "'most-rounds' is at least 'rounds', %lld",
                   (long long)assignment->rounds);
    else if (!gives_interval(assignment))
        yaml_fault(yaml, yaml_root(yaml), NULL, "so few rounds give no interval, and no mark: raise 'most-rounds'");
}

struct assignment *assignment_read(const char *path, FILE *diagnostics)
{
    struct assignment *assignment = memory_allocate(1, sizeof *assignment);
    assignment->time_s = 300;
    assignment->memory_bytes = (int64_t)4 << 30;
    assignment->processes = 256;
    assignment->rounds = 10;
    assignment->most_rounds = 40;
    struct yaml *yaml = yaml_read(path);
    if (yaml_root(yaml))
        read_map(yaml, yaml_root(yaml), "an assignment", file_keys, FILE_KEYS, assignment);
    if (yaml_faults(yaml) == 0)
        check(yaml, assignment);
    if (yaml_faults(yaml) > 0) {
        yaml_report(yaml, diagnostics);
        assignment_free(assignment);
        assignment = NULL;
    }
    yaml_free(yaml);
    return assignment;
}

void assignment_free(struct assignment *assignment)
{
    if (!assignment)
        return;
    free(assignment->title);
    free(assignment->problem);
    free(assignment->precision);
    free(assignment->variant);
    free(assignment->baseline);
    free(assignment);
}
