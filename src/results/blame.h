/* Which outcomes of a cell are faults of its variant, for whoever ranks variants.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_RESULTS_BLAME_H
#define TILELAB_RESULTS_BLAME_H

#include <stdbool.h>

/* Whether a cell with this status (status_names) shows that its variant is wrong: then none of the variant's times
 * counts. Short memory, a time limit, a skipped cell and a method that fails for its inputs show no such thing. */
bool blame_variant(const char *status);

#endif
