/* Which cells of an experiment the command line asks for.
 * SPDX-License-Identifier: MIT
 *
 * A list of choices, "omp-*,n=512", asks for the cells of each choice, and so do several lists. A choice is a pattern,
 * or several that must all match, "omp-* and n=512". A pattern matches a cell by the variant ("omp-*", "matmul/omp-*"),
 * by an axis ("n=512", "precision=f*"), or by the whole key of the cell. */
#ifndef TILELAB_PLAN_SELECTION_H
#define TILELAB_PLAN_SELECTION_H

#include "grid.h"

#include <stdio.h>

/* Whether a list asks for the cell; without lists every cell is asked for. */
bool selection_has(char *const lists[], size_t count, const struct cell *cell);

/* The same for the lists of --only, and for the list `within`, which the cell must match as well. */
bool selection_asks(const struct experiment *experiment, const struct cell *cell);

/* Whether each pattern of the lists matches a cell of the grids, and each choice does. If not, a line on `diagnostics`
 * says so, with the nearest name. */
bool selection_check(char *const lists[], size_t count, const struct grid grids[], size_t length, FILE *diagnostics);

#endif
