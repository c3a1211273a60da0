/* How long a run of a cell, and the whole measurement of the cell, will take.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_PLAN_PREDICT_H
#define TILELAB_PLAN_PREDICT_H

#include "task.h"
#include "results/store.h"

/* Links each task to its predictor: the nearest earlier relative. Relatives are tasks of the same variant, precision,
 * isa, opt and threads; their times foretell each other. False on lack of memory. */
bool predict_link(struct task *tasks, size_t count);

/* Predicted seconds of one run: from finished results of smaller relatives, else from the variant's typical rate. The
 * prediction depends on results alone, so a resumed run predicts what an undisturbed run does. `task` is one of
 * `tasks`, which predict_link has linked; `store` may be NULL. */
double predict_run_s(const struct task *tasks, const struct store *store, const struct task *task);

/* Rounds of a cell whose run takes run_s: as asked, or fewer (at least three) where all would exceed max-time. */
int predict_rounds(const struct measure *measure, double run_s);

/* Wall time of measuring a cell whose run takes run_s: checks, warm-ups, rounds, and the copies of a GPU. */
double predict_cost_s(const struct measure *measure, const struct cell *cell, double run_s);

#endif
