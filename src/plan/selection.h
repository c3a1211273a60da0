/* Which cells of an experiment the command line asks for.
 * SPDX-License-Identifier: MIT
 *
 * A list of patterns, "omp-*,n=512", asks for the cells that one of its patterns matches. A pattern matches a cell by
 * the variant ("omp-*", "matmul/omp-*"), by an axis ("n=512", "precision=f*"), or by the whole key of the cell. Several
 * lists ask for the cells that each list asks for. */
#ifndef TILELAB_PLAN_SELECTION_H
#define TILELAB_PLAN_SELECTION_H

#include "grid.h"

#include <stdio.h>

/* Whether all lists ask for the cell. */
bool selection_has(char *const lists[], size_t count, const struct cell *cell);

/* Whether each pattern of the lists matches a cell of the grids, and the lists together ask for a cell. If not, a line
 * on `diagnostics` says so, with the nearest name. */
bool selection_check(char *const lists[], size_t count, const struct grid grids[], size_t length, FILE *diagnostics);

#endif
