/* One cell of an experiment as a run sees it: finished, to be measured, or not suited to this machine.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_PLAN_TASK_H
#define TILELAB_PLAN_TASK_H

#include "cell.h"
#include "grid.h"

/* Why a record measures a cell, the most wanted first (need.h). */
enum need { NEED_NOTHING, NEED_HEADLINE, NEED_STALE, NEED_MISSING, NEED_FLAGGED, NEEDS };

/* One cell of an experiment, or of its probes. */
struct task {
    struct cell cell;
    char id[CELL_ID_SIZE];
    bool known;       /* a finished result still holds */
    const char *why;  /* of a task to measure: one of schedule_reasons */
    bool afresh;      /* asked for again: no round that an interrupted run has saved counts */
    char *skip;       /* why it cannot be measured here, or NULL; owned */
    bool never;       /* the skip does not depend on the memory that is free now */
    enum need need;   /* of a record; need_judge sets it */
    bool elsewhere;   /* of a record: the result holds, but is of another physical machine */
    bool tried;       /* of a record: measured as far as it can be */
    bool aside;       /* left to a later part of a record, or to another machine (part.h) */
    bool left_out;    /* the command line does not ask for the cell; its result may foretell the time of others */
    size_t predictor; /* index + 1 of the nearest earlier relative (see predict_link); 0: none */
};

static inline bool task_pending(const struct task *task)
{
    return !task->known && !task->skip && !task->aside && !task->left_out;
}

/* Whether the task belongs to this call of the program. */
static inline bool task_is_asked(const struct task *task)
{
    return !task->aside && !task->left_out;
}

#endif
