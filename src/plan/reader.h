/* What the readers of an experiment file's keys share: the table of keys, and maps, lists and variant patterns.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_PLAN_READER_H
#define TILELAB_PLAN_READER_H

#include "experiment.h"
#include "base/yaml.h"

/* The maps of a file, by what they may hold. A key can belong in several maps. */
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

/* The kinds of values that keys take. */
enum takes {
    TAKES_SCHEMA,   /* the version of the format */
    TAKES_TEXT,     /* any text */
    TAKES_TEXTS,    /* one text, or a text for each language */
    TAKES_WORD,     /* a name */
    TAKES_PROBLEMS, /* a problem, or several */
    TAKES_VARIANTS, /* a name or pattern of variants, or several */
    TAKES_FIGURES,  /* a kind of figure, or several */
    TAKES_TABLES,   /* a kind of table, or several */
    TAKES_GRID,     /* maps of keys */
    TAKES_MEASURE,
    TAKES_PROFILE,
    TAKES_EXCLUSIONS, /* a map of conditions, or several */
    TAKES_AXIS,       /* values of the axis `argument` */
    TAKES_COUNT,      /* a whole number from 1 to 1000 */
    TAKES_SHARE,      /* 1% */
    TAKES_TIME,       /* 500ms */
    TAKES_SWITCH,     /* yes or no */
    TAKES_NUMBER,     /* a value of the axis around it */
    TAKES_NUMBERS,    /* a value of the axis around it, or several */
    TAKES_PAIR,       /* two exponents */
    TAKES_ANY         /* whatever the axis around it takes */
};

enum key_id {
#define KEY(id, ...) KEY_##id,
#include "keys.def"
#undef KEY
    KEYS
};

/* A file that is being read, as one profile sees it. */
struct reader {
    struct yaml *yaml;
    struct experiment *experiment;
    int64_t value_total; /* values over all axes */
};

/* A line of keys.def. */
struct key {
    const char *name;
    unsigned where;
    size_t argument; /* an axis, or the offset of the field to fill */
    enum takes takes;
    const char *meaning; /* "": the map around the key tells it */
};
extern const struct key reader_keys[KEYS];

/* Notes the values of a map in `slot`, by key. A key that does not belong in this map is a fault; so is a key whose
 * slot is taken. `name` is the key of the map itself. Returns false, with a fault, where the node is no map. */
bool reader_map(struct reader *reader, const struct yaml_node *map, enum where where, const char *name,
                const struct yaml_node *slot[KEYS]);

/* The first element of a list; of any other node, the node itself. NULL, with a fault, for an empty list. */
const struct yaml_node *reader_first(struct reader *reader, const struct yaml_node *node, const char *name);
/* The element after `element`, or NULL. */
static inline const struct yaml_node *reader_next(const struct yaml_node *node, const struct yaml_node *element)
{
    return node->kind == YAML_LIST ? element->next : NULL;
}

/* Reads a variant pattern; the caller frees *pattern. Returns false, with a fault, where no variant of the experiment's
 * problems matches, or where no match has the axis (-1: any). */
bool reader_pattern(struct reader *reader, const struct yaml_node *node, const char *name, int axis, char **pattern);

/* Notes that no variant has the name or matches the pattern `word`. */
void reader_unknown_variant(struct reader *reader, const struct yaml_node *node, const char *word);

/* Whether a text is a name: not empty, and made of a-z, 0-9 and '-' only. */
bool reader_is_name(const char *text);

#endif
