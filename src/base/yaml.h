/* A YAML file as a tree with positions, and the faults found in it.
 * SPDX-License-Identifier: MIT
 *
 * A file holds maps, lists and scalars, which is all that data needs. Anchors, aliases, tags, several documents, tabs
 * as indentation, control characters, more than 1 MiB and more than 16 levels are faults. Running out of memory ends
 * the program. */
#ifndef TILELAB_BASE_YAML_H
#define TILELAB_BASE_YAML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { YAML_SIZE_MAX = 1 << 20, YAML_DEPTH_MAX = 16, YAML_FAULTS_MAX = 100 };

struct yaml_node {
    enum yaml_kind { YAML_SCALAR, YAML_LIST, YAML_MAP } kind;
    bool quoted;                   /* a scalar in quotes, or a block of text */
    int line, column;              /* from 1; columns count characters */
    const char *text;              /* of a scalar */
    const struct yaml_node *child; /* list: its elements; map: key, value, key, value ... */
    const struct yaml_node *next;  /* the next sibling */
};

struct yaml;

/* Reads a file; the caller frees the result with yaml_free. A file with faults of syntax has no root: yaml_root gives
 * NULL. */
struct yaml *yaml_read(const char *path);
/* The same for a text; `name` stands in faults where a file has its path. */
struct yaml *yaml_read_text(const char *name, const char *text);
const struct yaml_node *yaml_root(const struct yaml *yaml);
/* The path, or the name of the text. */
const char *yaml_path(const struct yaml *yaml);
void yaml_free(struct yaml *yaml);

/* Notes a fault at a node; where `at` is NULL, the fault is one of the whole file. `suggestion` may be NULL. The same
 * fault noted twice counts once. Faults beyond YAML_FAULTS_MAX are dropped, and the report says so. */
void yaml_fault(struct yaml *yaml, const struct yaml_node *at, const char *suggestion, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Notes that a word is not among the names, and tells the names; the one that is close to the word is suggested. */
void yaml_fault_word(struct yaml *yaml, const struct yaml_node *at, const char *word, const char *const *names,
                     size_t count, const char *format, ...) __attribute__((format(printf, 6, 7)));
size_t yaml_faults(const struct yaml *yaml);
/* Prints the faults in the order of the file: path:line:column: error: text / the line / a caret / "did you mean". */
void yaml_report(const struct yaml *yaml, FILE *out);

/* Read a scalar of a certain type. A node that does not suit is a fault: the functions note the fault and return false.
 * `name` is the key of the node, for the text of the fault. */
bool yaml_text(struct yaml *yaml, const struct yaml_node *node, const char *name, const char **text);
bool yaml_integer(struct yaml *yaml, const struct yaml_node *node, const char *name, int64_t low, int64_t high,
                  int64_t *value);
/* Reads a decimal ("0.5") or a fraction ("2/3") as a multiple of 1e-9: a fraction rounded, a decimal exactly. */
bool yaml_decimal(struct yaml *yaml, const struct yaml_node *node, const char *name, int64_t low, int64_t high,
                  int64_t *value);
bool yaml_percentage(struct yaml *yaml, const struct yaml_node *node, const char *name, double *share); /* 1%: 0.01 */
bool yaml_duration(struct yaml *yaml, const struct yaml_node *node, const char *name, double *time_s);  /* 500ms: 0.5 */

#endif
