/* What the two halves of a run share: its points, run.c, and the cells of a point, run_cell.c.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_MEASURE_RUN_PARTS_H
#define TILELAB_MEASURE_RUN_PARTS_H

#include "pool.h"
#include "run.h"

/* A task while its point is measured. */
struct member {
    struct task *task;
    struct result result;
    double run_s;      /* predicted, then measured */
    double expected_s; /* of the whole cell, for the time left */
    int rounds;
    unsigned checked_in;  /* generation of the worker that has verified it on the timed inputs */
    unsigned prepared_in; /* and of the one that has warmed it as well */
    bool exact_done, once, finished;
};

struct run {
    struct schedule *schedule;
    struct store *store;
    const struct measure *measure;
    struct run_report *report;
    int *failures; /* in a row, by registry entry */
    struct outcome *outcome;
    double start_s;
    const struct run_options *options;
    double finished_s; /* expected of the cells that are finished */
    double admitted_s; /* expected of the cells of this point so far */
};

static inline size_t entry_index(const struct entry *entry)
{
    size_t count;
    return (size_t)(entry - registry(&count));
}

static inline bool stopped(const struct run *run)
{
    return pool_interrupted || run->report->store_failed;
}

/* Puts a result into the store. */
void run_keep(struct run *run, const struct result *result);

/* --- One cell. What returns false has finished it as failed, or the run is stopped. --- */

/* Is it still to be checked on exact inputs? */
bool member_wants_exact(const struct member *member);
bool member_check(struct run *run, struct member *member, enum inputs inputs);
bool member_warm(struct run *run, struct member *member);
/* Exact check once a cell; check on the timed inputs and warm-up in every worker. */
bool member_prepare(struct run *run, struct member *member);
/* Its samples of one round. */
void member_measure(struct run *run, struct member *member, int round, int launch);
/* A run of more than `once-above`: the check that has just been made is its measurement. */
void member_finish_once(struct run *run, struct member *member);
/* Sums its samples up, and keeps them. */
void member_finish(struct run *run, struct member *member);

#endif
