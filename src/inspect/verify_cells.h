/* What `verify` runs: the cells of each variant that is asked for, each with its line.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_INSPECT_VERIFY_CELLS_H
#define TILELAB_INSPECT_VERIFY_CELLS_H

#include "verify_check.h"
#include "base/number.h"

struct verify_asked {
    const char *pattern; /* a list of patterns of variants */
    char **only;         /* lists of patterns of cells (selection.h); owned, but not the lists */
    size_t onlys;
    bool dry_run, silent, builds; /* builds: only compile the user's own kernels for the cells */
    struct number_list sizes, tiles;
    int device;
    int team_size; /* 0: that which a variant has by default */
    struct verify_how how;
    bool square;      /* no rectangular cells */
    double timeout_s; /* of a cell; NAN: the usual limit; 0: none, and all cells in this process */
};

/* Compiles what is asked for of the user's own kernels. */
void verify_cells_build(const struct verify_asked *asked);
/* Verifies what is asked for, and prints a line for each cell and the last line. Returns the exit code. */
int verify_cells(const struct verify_asked *asked);

#endif
