/* Axis values and exclusions of an experiment file.
 * SPDX-License-Identifier: MIT */
#include "experiment_values.h"

#include "cell.h"
#include "grid.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* The values of one axis for the variants of one list of patterns, while they are read. */
struct collection {
    struct reader *reader;
    int axis;
    const struct yaml_node *patterns; /* NULL: all variants */
    struct values plain, scaled;      /* scaled: per thread */
    struct literal {
        int64_t value;
        bool scaled;
        const struct yaml_node *node;
    } * literal;
    size_t literals;
};

static const struct {
    const char *name;
    int axis;
    int64_t value;
} symbols[] = {
    {"all", AXIS_threads, VALUE_ALL},  {"half", AXIS_threads, VALUE_HALF}, {"cores", AXIS_threads, VALUE_CORES},
    {"best", AXIS_isa, VALUE_BEST},    {"full", AXIS_m, VALUE_FULL},       {"chosen", AXIS_mc, VALUE_CHOSEN},
    {"chosen", AXIS_nc, VALUE_CHOSEN}, {"chosen", AXIS_kc, VALUE_CHOSEN},
};
enum { SYMBOLS = sizeof symbols / sizeof *symbols };

const char *experiment_values_symbol(enum axis_id axis, size_t index)
{
    for (size_t i = 0; i < SYMBOLS; i++)
        if (symbols[i].axis == (int)axis && index-- == 0)
            return symbols[i].name;
    return NULL;
}

static size_t names_count(const struct axis *axis)
{
    return (size_t)axis->highest;
}

/* Notes that a word is no symbol of an axis of numbers, and suggests the nearest symbol. False where the axis has no
 * symbols, or the node is no word. */
static bool refuse_symbol(struct reader *reader, int id, const struct yaml_node *node)
{
    const char *names[SYMBOLS];
    size_t count = 0;
    for (size_t i = 0; i < SYMBOLS; i++)
        if (symbols[i].axis == id)
            names[count++] = symbols[i].name;
    if (!count || node->kind != YAML_SCALAR || node->quoted || !(*node->text >= 'a' && *node->text <= 'z'))
        return false;
    yaml_fault_word(reader->yaml, node, node->text, names, count, "'%s' takes whole numbers and symbols, not '%s'",
                    cell_axes[id].key, node->text);
    return true;
}

/* Reads a number of an axis, at least `lowest`; `name` is the name of the key, for diagnostics. */
static bool read_number(struct reader *reader, const struct axis *axis, const struct yaml_node *node, const char *name,
                        int64_t lowest, int64_t *value)
{
    return axis->kind == DECIMAL ? yaml_decimal(reader->yaml, node, name, lowest, axis->highest, value)
                                 : yaml_integer(reader->yaml, node, name, lowest, axis->highest, value);
}

/* Reads "opencl:*", all devices of a backend. */
static bool read_devices(const char *text, int64_t *value)
{
    const size_t length = strcspn(text, ":");
    for (int id = 0; id < BACKENDS; id++)
        if (registry_backends[id].devices > 0 && strncmp(text, registry_backends[id].name, length) == 0 &&
            registry_backends[id].name[length] == '\0' && strcmp(text + length, ":*") == 0) {
            *value = VALUE_DEVICES - id;
            return true;
        }
    return false;
}

/* Notes that a word is no name of an axis, and tells the names. `symbolic`: its symbols too. */
static void refuse_name(struct reader *reader, int id, const struct yaml_node *node, const char *text, bool symbolic)
{
    const struct axis *axis = &cell_axes[id];
    const size_t names = names_count(axis);
    const char **known = memory_allocate(names + SYMBOLS, sizeof *known);
    size_t count = 0;
    for (; count < names; count++)
        known[count] = axis->names[count + 1];
    for (size_t i = 0; symbolic && i < SYMBOLS; i++)
        if (symbols[i].axis == id)
            known[count++] = symbols[i].name;
    yaml_fault_word(reader->yaml, node, text, known, count, "unknown %s '%s'", axis->key, text);
    free(known);
}

/* Reads a scalar as a value of an axis. `symbolic`: a symbol ("all") is a value too. */
static bool read_value(struct reader *reader, int id, const struct yaml_node *node, bool symbolic, int64_t *value)
{
    const struct axis *axis = &cell_axes[id];
    for (size_t i = 0; node->kind == YAML_SCALAR && i < SYMBOLS; i++)
        if (symbolic && symbols[i].axis == id && !strcmp(node->text, symbols[i].name)) {
            *value = symbols[i].value;
            return true;
        }
    if (symbolic && id == AXIS_device_id && node->kind == YAML_SCALAR && read_devices(node->text, value))
        return true;
    if (axis->kind != NAME)
        return !(symbolic && refuse_symbol(reader, id, node)) &&
               read_number(reader, axis, node, axis->key, axis->lowest, value);

    const char *text;
    if (!yaml_text(reader->yaml, node, axis->key, &text))
        return false;
    if (cell_axis_read(id, text, strlen(text), value) && cell_axis_allows(id, *value))
        return true;
    refuse_name(reader, id, node, text, symbolic);
    return false;
}

static void check_precision(struct reader *reader, const struct yaml_node *node, int64_t precision)
{
    const struct experiment *experiment = reader->experiment;
    const char *word = cell_precision_names[precision], *known[PRECISIONS];
    size_t count = 0;
    for (size_t i = 0; i < experiment->problems; i++)
        if (experiment->problem[i]->precisions & BIT(precision))
            return;
    for (int other = F32; other <= PRECISIONS; other++)
        if (experiment->problems && experiment->problem[0]->precisions & BIT(other))
            known[count++] = cell_precision_names[other];
    if (experiment->problems)
        yaml_fault_word(reader->yaml, node, word, known, count, "problem '%s' has no precision '%s'",
                        experiment->problem[0]->name, word);
}

static bool make_room(struct collection *collection, const struct yaml_node *node, int64_t count)
{
    struct reader *reader = collection->reader;
    reader->value_total += count;
    if (count <= GRID_VALUES_MAX && reader->value_total <= GRID_VALUES_MAX)
        return true;
    const bool is_alone = count > GRID_VALUES_MAX; /* the axis alone has too many */
    yaml_fault(reader->yaml, node, NULL,
               is_alone ? "'%s' has %lld values here; at most %d are allowed"
                        : "with '%s' all axes together have %lld values; at most %d are allowed",
               cell_axes[collection->axis].key, (long long)(is_alone ? count : reader->value_total), GRID_VALUES_MAX);
    reader->value_total = GRID_VALUES_MAX;
    return false;
}

/* The room doubles, so that a long list is not copied at every element. */
static void add_value(struct values *values, int64_t value)
{
    if ((values->count & (values->count - 1)) == 0)
        values->value = memory_grow(values->value, values->count ? 2 * values->count : 1, sizeof *values->value);
    values->value[values->count++] = value;
}

static void collect_scalar(struct collection *collection, const struct yaml_node *node, bool scaled)
{
    struct reader *reader = collection->reader;
    int64_t value;
    if (!read_value(reader, collection->axis, node, !scaled, &value) || !make_room(collection, node, 1))
        return;
    if (collection->axis == AXIS_precision)
        check_precision(reader, node, value);
    if ((collection->literals & (collection->literals - 1)) == 0)
        collection->literal = memory_grow(collection->literal, collection->literals ? 2 * collection->literals : 1,
                                          sizeof *collection->literal);
    collection->literal[collection->literals++] = (struct literal){value, scaled, node};
    add_value(scaled ? &collection->scaled : &collection->plain, value);
}

static void collect_range(struct collection *collection, const struct yaml_node *map,
                          const struct yaml_node *const slot[KEYS])
{
    struct reader *reader = collection->reader;
    const struct axis *axis = &cell_axes[collection->axis];
    const enum key_id needed[] = {KEY_from, KEY_to, KEY_step};
    int64_t number[3];
    bool right = true;
    for (int i = 0; i < 3; i++) {
        const struct yaml_node *node = slot[needed[i]];
        if (!node)
            yaml_fault(reader->yaml, map, NULL, "a range needs 'from', 'to' and 'step'; '%s' is missing",
                       reader_keys[needed[i]].name);
        right &=
            node && read_number(reader, axis, node, reader_keys[needed[i]].name, i < 2 ? axis->lowest : 1, &number[i]);
    }
    if (right && number[0] > number[1]) {
        yaml_fault(reader->yaml, slot[KEY_from], NULL, "the range is empty: 'from' is above 'to'");
        right = false;
    }
    if (right && make_room(collection, map, (number[1] - number[0]) / number[2] + 1))
        for (int64_t value = number[0]; value <= number[1]; value += number[2])
            add_value(&collection->plain, value);
}

static void collect_powers(struct collection *collection, const struct yaml_node *node)
{
    struct reader *reader = collection->reader;
    const struct axis *axis = &cell_axes[collection->axis];
    int highest = 0;
    while ((INT64_C(2) << highest) <= axis->highest)
        highest++;
    const struct yaml_node *first = node->kind == YAML_LIST ? node->child : NULL;
    if (!first || !first->next || first->next->next) {
        yaml_fault(reader->yaml, node, NULL, "'pow2' takes two exponents, [first, last]");
        return;
    }
    int64_t low, high;
    bool right = yaml_integer(reader->yaml, first, "pow2", 0, highest, &low);
    right &= yaml_integer(reader->yaml, first->next, "pow2", 0, highest, &high);
    if (right && low > high)
        yaml_fault(reader->yaml, first, NULL, "the range is empty: the first exponent is above the last");
    else if (right && make_room(collection, node, high - low + 1))
        for (; low <= high; low++)
            add_value(&collection->plain, INT64_C(1) << low);
}

static void collect(struct collection *collection, const struct yaml_node *node, bool in_list);
static void read_values(struct reader *reader, int axis, const struct yaml_node *node,
                        const struct yaml_node *patterns);

static void collect_map(struct collection *collection, const struct yaml_node *node)
{
    struct reader *reader = collection->reader;
    const struct axis *axis = &cell_axes[collection->axis];
    const struct yaml_node *slot[KEYS] = {NULL};
    reader_map(reader, node, IN_VALUE, "values", slot);

    const bool range = slot[KEY_from] || slot[KEY_to] || slot[KEY_step], named = slot[KEY_for] || slot[KEY_values];
    const int forms = range + !!slot[KEY_pow2] + !!slot[KEY_per_thread] + named;
    if (forms != 1) {
        if (forms || !node->child)
            yaml_fault(reader->yaml, node, NULL,
                       "write the values as one of {from, to, step}, {pow2: [a, b]}, {per-thread: n}, {for, values}");
        return;
    }
    if (named) {
        if (!slot[KEY_for] || !slot[KEY_values])
            yaml_fault(reader->yaml, node, NULL, "'for' and 'values' must stand together");
        else if (collection->patterns)
            yaml_fault(reader->yaml, node, NULL, "'for' cannot stand inside the values of another 'for'");
        else
            read_values(reader, collection->axis, slot[KEY_values], slot[KEY_for]);
    } else if (axis->kind == NAME) {
        yaml_fault(reader->yaml, node, NULL, "'%s' takes names; a range is for numbers", axis->key);
    } else if (range) {
        collect_range(collection, node, slot);
    } else if (axis->kind == DECIMAL) {
        yaml_fault(reader->yaml, node, NULL,
                   "'%s' takes numbers and {from, to, step}, but neither 'pow2' nor 'per-thread'", axis->key);
    } else if (slot[KEY_pow2]) {
        collect_powers(collection, slot[KEY_pow2]);
    } else if (collection->axis == AXIS_threads) {
        yaml_fault(reader->yaml, node, NULL, "'per-thread' cannot give the threads themselves");
    } else {
        const struct yaml_node *list = slot[KEY_per_thread], *element = reader_first(reader, list, "per-thread");
        for (; element; element = reader_next(list, element))
            collect_scalar(collection, element, true);
    }
}

/* Collects the values of a scalar, of a map, or of all elements of a list. */
static void collect(struct collection *collection, const struct yaml_node *node, bool in_list)
{
    struct reader *reader = collection->reader;
    const char *name = cell_axes[collection->axis].key;
    if (node->kind == YAML_MAP) {
        collect_map(collection, node);
    } else if (node->kind == YAML_SCALAR) {
        collect_scalar(collection, node, false);
    } else if (in_list) {
        yaml_fault(reader->yaml, node, NULL, "the list of '%s' cannot hold another list", name);
    } else {
        const struct yaml_node *element = reader_first(reader, node, name);
        for (; element; element = reader_next(node, element))
            collect(collection, element, true);
    }
}

static int by_value(const void *a, const void *b)
{
    const struct literal *x = a, *y = b;
    if (x->scaled != y->scaled)
        return x->scaled - y->scaled;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    if (x->node->line != y->node->line)
        return x->node->line - y->node->line;
    return x->node->column - y->node->column;
}

static void check_duplicates(struct collection *collection)
{
    if (collection->literals)
        qsort(collection->literal, collection->literals, sizeof *collection->literal, by_value);
    for (size_t i = 1; i < collection->literals; i++) {
        const struct literal *one = &collection->literal[i - 1], *other = &collection->literal[i];
        if (one->value == other->value && one->scaled == other->scaled)
            yaml_fault(collection->reader->yaml, other->node, NULL, "'%s' is given twice", other->node->text);
    }
}

static void read_patterns(struct collection *collection, struct values *values)
{
    struct reader *reader = collection->reader;
    const struct yaml_node *list = collection->patterns, *node = reader_first(reader, list, "for");
    for (; node; node = reader_next(list, node)) {
        char *pattern;
        if (!reader_pattern(reader, node, "for", collection->axis, &pattern))
            continue;
        values->pattern = memory_grow(values->pattern, values->patterns + 1, sizeof *values->pattern);
        values->pattern[values->patterns++] = pattern;
    }
}

/* Hands the values to the experiment, with a copy of the patterns. */
static void deliver(struct collection *collection, struct values *values, bool per_thread)
{
    struct experiment *experiment = collection->reader->experiment;
    values->axis = (enum axis_id)collection->axis;
    values->per_thread = per_thread;
    if (collection->patterns)
        read_patterns(collection, values);
    experiment->values = memory_grow(experiment->values, experiment->value_lists + 1, sizeof *experiment->values);
    experiment->values[experiment->value_lists++] = *values;
}

static void read_values(struct reader *reader, int axis, const struct yaml_node *node, const struct yaml_node *patterns)
{
    struct collection collection = {.reader = reader, .axis = axis, .patterns = patterns};
    collect(&collection, node, false);
    check_duplicates(&collection);
    if (collection.plain.count || (patterns && !collection.scaled.count)) /* checks the patterns in any case */
        deliver(&collection, &collection.plain, false);
    if (collection.scaled.count)
        deliver(&collection, &collection.scaled, true);
    free(collection.literal);
}

void experiment_values_axis(struct reader *reader, const struct key *key, const struct yaml_node *node)
{
    read_values(reader, (int)key->argument, node, NULL);
}

/* ---- exclusions */

static bool read_condition(struct reader *reader, const struct key *key, const struct yaml_node *node,
                           struct condition *condition)
{
    *condition = (struct condition){.axis = -1};
    if (key == &reader_keys[KEY_variant])
        return reader_pattern(reader, node, key->name, -1, &condition->pattern);

    const struct axis *axis = &cell_axes[key->argument];
    condition->axis = (int)key->argument;
    condition->low = axis->lowest; /* so that 0, "does not apply", lies outside */
    condition->high = axis->highest;
    if (node->kind != YAML_MAP) {
        const bool right = read_value(reader, condition->axis, node, false, &condition->low);
        condition->high = condition->low;
        return right;
    }
    const struct yaml_node *slot[KEYS] = {NULL};
    reader_map(reader, node, IN_BOUND, key->name, slot);
    bool right = true;
    if (axis->kind == NAME || (!slot[KEY_above] && !slot[KEY_below])) {
        yaml_fault(reader->yaml, node, NULL,
                   axis->kind == NAME ? "'%s' takes a name here" : "'%s' takes a value, {above: a} or {below: b} here",
                   key->name);
        return false;
    }
    if (slot[KEY_above]) {
        right &= read_number(reader, axis, slot[KEY_above], "above", axis->lowest, &condition->low);
        condition->low++;
    }
    if (slot[KEY_below]) {
        right &= read_number(reader, axis, slot[KEY_below], "below", axis->lowest, &condition->high);
        condition->high--;
    }
    if (right && condition->low > condition->high)
        yaml_fault(reader->yaml, node, NULL, "no value of '%s' lies in these bounds", key->name);
    return right;
}

/* Every cell of a grid is held against every exclusion. */
enum { EXCLUSIONS_MAX = 1000 };

static void read_exclusion(struct reader *reader, const struct yaml_node *map)
{
    struct experiment *experiment = reader->experiment;
    const struct yaml_node *slot[KEYS] = {NULL};
    if (!reader_map(reader, map, IN_EXCLUDE, "exclude", slot))
        return;
    if (!map->child)
        yaml_fault(reader->yaml, map, NULL, "an exclusion without a condition would exclude every cell");
    struct exclusion exclusion = {.condition = memory_grow(NULL, KEYS, sizeof *exclusion.condition)};
    for (int i = 0; i < KEYS; i++)
        if (slot[i] && read_condition(reader, &reader_keys[i], slot[i], &exclusion.condition[exclusion.count]))
            exclusion.count++;
    experiment->exclusion =
        memory_grow(experiment->exclusion, experiment->exclusions + 1, sizeof *experiment->exclusion);
    experiment->exclusion[experiment->exclusions++] = exclusion;
}

void experiment_values_exclude(struct reader *reader, const struct key *key, const struct yaml_node *node)
{
    const struct yaml_node *element = reader_first(reader, node, key->name);
    reader->experiment->excluded_in = node->line;
    for (; element; element = reader_next(node, element))
        if (reader->experiment->exclusions < EXCLUSIONS_MAX) {
            read_exclusion(reader, element);
        } else {
            yaml_fault(reader->yaml, element, NULL,
                       "there are more than %d exclusions; exclude ranges, such as {n: {above: 4096}}", EXCLUSIONS_MAX);
            break;
        }
}
