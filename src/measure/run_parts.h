/* What the two halves of a run share: run.c measures points, run_cell.c measures the cells of a point.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_MEASURE_RUN_PARTS_H
#define TILELAB_MEASURE_RUN_PARTS_H

#include "pool.h"
#include "run.h"

/* A task while its point is measured. */
struct member {
    struct task *task;
    struct result result;
    double run_s;         /* time of one run: first as predicted, then as measured */
    double expected_s;    /* time that the whole cell is expected to take */
    int rounds;           /* how many rounds the cell takes part in */
    unsigned checked_in;  /* generation of the worker that has verified the cell on the timed inputs */
    unsigned prepared_in; /* generation of the worker that has also warmed the cell up */
    bool exact_done;      /* the cell was verified on exact inputs */
    bool once;            /* the cell is run once: a run takes longer than once-above */
    bool finished;        /* the result is in the store */
};

struct run {
    struct schedule *schedule;
    struct store *store;
    const struct measure *measure;
    struct run_report *report;
    int *failures;           /* in a row, for each entry of the registry */
    struct outcome *outcome; /* the latest answer of a worker */
    double start_s;
    const struct run_options *options;
    double finished_s; /* time that was expected of the cells that are finished */
    double admitted_s; /* time that is expected of the cells of this point so far */
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

/* Puts a result into the store. If the store refuses, the run stops. */
void run_keep(struct run *run, struct result *result);

/* ---- One cell. Where one of these functions returns false, the member is finished as failed or the run is stopped. */

/* Whether the cell is still to be checked on exact inputs. */
bool run_cell_wants_exact(const struct member *member);
bool run_cell_check(struct run *run, struct member *member, enum inputs inputs);
bool run_cell_warm(struct run *run, struct member *member);
/* Takes a cell to where it can be timed in the present worker. Does the check on exact inputs if it is still to be
 * done, then the check on the timed inputs, then the warm-up. */
bool run_cell_prepare(struct run *run, struct member *member);
/* Adds the samples of one round. */
void run_cell_measure(struct run *run, struct member *member, int round, int launch);
/* Finishes a cell whose run takes longer than once-above: the check that has just been made is its only sample. */
void run_cell_finish_once(struct run *run, struct member *member);
/* Summarises the samples and puts the result into the store. */
void run_cell_finish(struct run *run, struct member *member);

#endif
