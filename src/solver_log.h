/* The log of an iterative solver: its last operand, which the variant writes and the runner reads.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_SOLVER_LOG_H
#define TILELAB_SOLVER_LOG_H

#include <stdint.h>

enum { SOLVER_HISTORY = 512 }; /* residuals that are kept */

/* Every member takes 8 bytes, so that host and device lay it out alike. */
struct solver_log {
    int64_t end;             /* enum solver_end */
    int64_t sweeps;          /* the answer is x_sweeps */
    double residual;         /* norm of the last residual */
    double smallest;         /* smallest norm of all residuals */
    int64_t smallest_sweep;  /* its sweep */
    int64_t every, recorded; /* history[i] is the norm of r_(i * every), for i < recorded */
    double history[SOLVER_HISTORY];
};

#endif
