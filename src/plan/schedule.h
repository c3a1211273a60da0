/* What an experiment still has to measure, in which order, and how long that will take.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_PLAN_SCHEDULE_H
#define TILELAB_PLAN_SCHEDULE_H

#include "predict.h"
#include "provenance.h"
#include "measure/worker.h"
#include "results/store.h"

/* Cells measured together: one problem, precision and shape, and the probes that accompany it. */
struct point {
    size_t first, count; /* in schedule->order */
};

struct schedule {
    const struct experiment *experiment;
    struct task *task; /* grid order, then probes: the order of the CSV files */
    size_t count;
    size_t products; /* those of the grid, before the probes */
    size_t *order;   /* task indices by point */
    struct point *point;
    size_t points;
    int64_t most_bytes; /* operands of the largest cell */
    struct provenance_shared shared;
};

/* Results that are measured again although they are finished. */
enum again { AGAIN_NOTHING, AGAIN_FAILED, AGAIN_ALL };

/* Why a task is measured: "missing", "source changed", ..., "asked for again"; NULL-terminated. */
extern const char *const schedule_reasons[];

/* NULL after a diagnostic (exit code 2). `store` may be NULL: everything is missing. */
struct schedule *schedule_make(const struct experiment *experiment, const struct store *store, enum again again,
                               FILE *diagnostics);
void schedule_free(struct schedule *schedule);

struct worker_kind cell_worker(const struct cell *cell);

/* Bytes that the operands of all living workers may take together. */
double schedule_memory_bytes(void);

#endif
