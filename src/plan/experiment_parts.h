/* What the two halves of the experiment reader share.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_PLAN_EXPERIMENT_PARTS_H
#define TILELAB_PLAN_EXPERIMENT_PARTS_H

#include "experiment.h"
#include "base/yaml.h"

/* The maps of a file, by what they may hold. */
enum where {
    IN_FILE = 1,
    IN_GRID = 2,
    IN_MEASURE = 4,
    IN_PROFILE = 8,
    IN_TITLE = 16,
    IN_VALUE = 32,
    IN_EXCLUDE = 64,
    IN_BOUND = 128,
    REQUIRED = 256
};

enum key_id {
#define KEY(id, key, where, reader, argument) KEY_##id,
#include "keys.def"
#undef KEY
    KEYS
};

struct reader {
    struct yaml *yaml;
    struct experiment *experiment;
    int64_t value_total; /* over all axes */
};

struct key {
    const char *name;
    unsigned where;
    void (*read)(struct reader *reader, const struct key *key, const struct yaml_node *node);
    size_t argument;
};
extern const struct key keys[KEYS];

/* The nodes of a map by key, added to `slot`; a key that does not belong in this map, or whose
 * slot is taken, is a fault. Returns false where the node is no map. */
bool read_map(struct reader *reader, const struct yaml_node *map, enum where where, const char *name,
              const struct yaml_node *slot[KEYS]);
/* The elements of a list, or the node alone. NULL, with a fault, for an empty list. */
const struct yaml_node *elements(struct reader *reader, const struct yaml_node *node, const char *name);
static inline const struct yaml_node *next_element(const struct yaml_node *node, const struct yaml_node *element)
{
    return node->kind == YAML_LIST ? element->next : NULL;
}

/* Checks a variant pattern against the experiment's problems; a fault where nothing matches, or
 * where nothing that matches has the axis (-1: any). */
bool read_pattern(struct reader *reader, const struct yaml_node *node, const char *name, int axis, char **pattern);
/* Whether an entry belongs to one of the problems. */
bool of_problems(const struct experiment *experiment, const struct entry *entry);

/* a-z, 0-9 and '-' only, and not empty. */
bool well_named(const char *text);

void read_axis(struct reader *reader, const struct key *key, const struct yaml_node *node);
void read_exclude(struct reader *reader, const struct key *key, const struct yaml_node *node);

#endif
