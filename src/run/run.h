/* Measuring the cells of a schedule.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_RUN_RUN_H
#define TILELAB_RUN_RUN_H

#include "plan/schedule.h"
#include "protocol/outcome.h"

/* The times that a run measured, and how many of them are in doubt. */
struct run_doubts {
    size_t times, any;
    size_t noisy;     /* another program took time from the kernel */
    size_t throttled; /* the GPU lowered its clock */
    size_t unsteady;  /* the time stayed in doubt when the cell was measured again */
    size_t wide;      /* the interval is wider than 10 % of the time */
};

/* Cells without a number of their energy, although it was asked for, and why. */
enum { RUN_LACKS = 8 };
struct run_lack {
    char why[160];
    size_t cells;
};

struct run_report {
    size_t measured, status[STATUSES];
    size_t transients;   /* cells that the machine kept from being measured */
    size_t left;         /* cells that the budget left to measure */
    double left_s;       /* what they are predicted to take together */
    double left_least_s; /* what the shortest of them is predicted to take */
    bool interrupted, store_failed;
    bool changed;           /* the CSV files were rewritten during the run */
    double wall_s;          /* time of this run */
    double phase_s[PHASES]; /* what the workers spent of it on each phase */
    double starts_s;        /* what starting and ending workers took */
    struct run_doubts doubts;
    struct run_lack no_energy[RUN_LACKS]; /* for each reason; the further reasons join the last one */
};

struct run_options {
    double budget_s; /* the budget of all experiments of this call together; INFINITY: none */
    double end_s;    /* when the budget is spent, on the clock of timer_now_s */
    bool together;   /* times in doubt are not measured again, which would part them from the cells of their rounds */
    bool all_rounds; /* slow cells have no fewer rounds than others, so that each round gives a ratio */
};

/* Measures every pending item of a schedule. A finished cell is in the store before the next cell finishes. An item
 * that does not suit this machine is stored as skipped. The run ends early when pool_interrupted is set or the store
 * refuses; when the budget is spent, the remaining cells are skipped. A cell that turns out to need more than the
 * budget is left, and its finished rounds are kept. */
void run_schedule(struct schedule *schedule, struct store *store, const struct run_options *options,
                  struct run_report *report);

#endif
