/* The rows of a study's results.csv: which cells it lists, in which order, and which result it shows of each.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_RESULTS_LISTED_H
#define TILELAB_RESULTS_LISTED_H

#include "result.h"

#include <stdbool.h>
#include <stddef.h>

struct listed {
    struct result *row; /* owned; without samples and history. A text without a meaning counts as an empty field. */
    size_t count, room;
};

/* Appends the rows of results.csv. False if the file cannot be opened. The caller frees the rows in any case. */
bool listed_read(struct listed *listed, const char *folder, const char *study);
/* The same; where a run was cut off before it wrote the file, the rows are those of the journal. */
void listed_find(struct listed *listed, const char *folder, const char *study);
void listed_free(struct listed *listed);

#endif
