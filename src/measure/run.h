/* Measuring what a schedule holds.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_MEASURE_RUN_H
#define TILELAB_MEASURE_RUN_H

#include "outcome.h"
#include "plan/schedule.h"

struct run_report {
    size_t measured, status[STATUSES];
    bool interrupted, store_failed;
    double wall_s, phase_s[PHASES]; /* of this run: the share that was spent measuring */
};

struct run_options {
    double budget_s; /* as asked for, INFINITY: none; of several experiments together */
    double end_s;    /* when it is spent, on the clock of timer_now_s */
};

/* Measures every pending task; each finished cell is in the store when the next one starts. Tasks that do not suit are
 * stored as skipped. Ends early when pool_interrupted is set, the budget is spent, or the store refuses. */
void run_schedule(struct schedule *schedule, struct store *store, const struct run_options *options,
                  struct run_report *report);

#endif
