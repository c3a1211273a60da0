/* What an experiment still has to measure, in which order, and how long that will take.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_PLAN_SCHEDULE_H
#define TILELAB_PLAN_SCHEDULE_H

#include "measure/worker.h"
#include "results/store.h"

/* One cell of an experiment, or of its probes. */
struct task {
    struct cell cell;
    char id[CELL_ID_SIZE];
    bool known;      /* a finished result still holds */
    const char *why; /* of a task to measure: "missing", "source changed", "asked for again" */
    char *skip;      /* why it cannot be measured here, or NULL; owned */
    size_t kin;      /* index + 1 of the nearest earlier task of the same variant, precision, isa, opt and
                                   threads; 0: none */
};

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
    char machine[17], settings[17];
};

/* Results that are measured again although they are finished. */
enum again { AGAIN_NOTHING, AGAIN_FAILED, AGAIN_ALL };

/* NULL after a diagnostic (exit code 2). `store` may be NULL: everything is missing. */
struct schedule *schedule_make(const struct experiment *experiment, const struct store *store, enum again again,
                               FILE *diagnostics);
void schedule_free(struct schedule *schedule);

/* What the result of a cell depends on here and now. */
void schedule_provenance(const struct schedule *schedule, const struct cell *cell, char provenance[PROVENANCES][17]);

/* Whether a result with this provenance would not be measured again. */
bool schedule_holds(const struct schedule *schedule, const struct cell *cell, char provenance[PROVENANCES][17]);

/* Predicted seconds of one run: from finished results of smaller points, else the variant's typical rate. Depends on
 * results alone, so an interrupted run that goes on predicts what an undisturbed one does. */
double schedule_predict(const struct schedule *schedule, const struct store *store, const struct task *task);

/* Rounds that a cell of this run time gets: as asked, fewer (three at least) once they alone would exceed max-time. */
int schedule_rounds(const struct measure *measure, double run_s);
/* Wall time of measuring a cell whose run takes run_s: checks, warm-ups, rounds, and a GPU's copies. */
double schedule_cost_s(const struct measure *measure, const struct cell *cell, double run_s);

static inline bool task_pending(const struct task *task)
{
    return !task->known && !task->skip;
}

struct worker_kind cell_worker(const struct cell *cell);

/* Bytes that the operands of all living workers may take together. */
double schedule_memory_bytes(void);

#endif
