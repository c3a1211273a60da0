/* The variants that a command line names by patterns.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_PLAN_VARIANTS_H
#define TILELAB_PLAN_VARIANTS_H

#include "registry.h"

/* Whether one of the patterns of a list, "omp-*,matmul/blas-*", matches the entry. */
bool variants_match(const char *list, const struct entry *entry);

/* Whether each pattern of the list matches a variant. If not, lines on stderr say so, with the nearest name. */
bool variants_check(const char *list);

/* Prints that the pattern matches no variant, with the nearest name, on stderr. */
void variants_complain(const char *pattern);

#endif
