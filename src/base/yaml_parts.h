/* What the files of the YAML reader share.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BASE_YAML_PARTS_H
#define TILELAB_BASE_YAML_PARTS_H

#include "yaml.h"

struct fault {
    int line, column; /* 0: the whole file */
    char *text, *suggestion;
    char *names; /* the words that are allowed; NULL: not told */
};

struct yaml {
    char *path;
    char *text;
    size_t length;
    const struct yaml_node *root;
    struct chunk *chunk; /* nodes and their texts */
    struct fault *fault;
    size_t faults;
    bool dropped;
};

void yaml_fault_at(struct yaml *yaml, int line, int column, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void yaml_free_faults(struct yaml *yaml);

/* The length of the UTF-8 sequence that begins at `text`, or 0 where there is none. */
size_t yaml_sequence_length(const char *text, size_t left);
/* The length of the line break at `text`, or 0 where there is none. */
size_t yaml_break_length(const char *text, size_t left);

#endif
