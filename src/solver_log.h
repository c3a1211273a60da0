/* What an iterative solver reports of one run: its last operand, written by the variant and read by the runner.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_SOLVER_LOG_H
#define TILELAB_SOLVER_LOG_H

#include <stdint.h>

enum { SOLVE_HISTORY = 512 }; /* residuals that are kept */

/* Every member takes 8 bytes, so that host and device lay it out alike. */
struct solve_log {
    int64_t end;     /* enum solve_end */
    int64_t sweeps;  /* of the answer: x is x_sweeps */
    double residual; /* the last norm that was noted */
    double smallest; /* of all norms */
    int64_t smallest_sweep;
    int64_t every, recorded; /* history[i] is the norm of r_(i * every), for i < recorded */
    double history[SOLVE_HISTORY];
};

#endif
