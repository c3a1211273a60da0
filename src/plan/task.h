/* One cell of an experiment as a run sees it: finished, to be measured, or not suited to this machine.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_PLAN_TASK_H
#define TILELAB_PLAN_TASK_H

#include "cell.h"
#include "grid.h"
#include "results/result.h"

/* What is to be done for a cell. */
enum task_state {
    TASK_PENDING,   /* it is measured */
    TASK_FINISHED,  /* a result still holds */
    TASK_TOO_LARGE, /* it cannot be measured with the memory that is free now */
    TASK_UNSUITED   /* this machine cannot measure it */
};

/* Whether this call of the program deals with the task. */
enum task_asked {
    TASK_ASKED,
    TASK_DEFERRED,  /* it is left to a later part of a record, or to another machine (part.h) */
    TASK_DESELECTED /* the command line does not ask for it; its result may foretell the time of others */
};

/* Why a pending task is measured; schedule_reasons has the texts. */
enum reason {
    REASON_MISSING,
    REASON_CHANGED, /* plus the part of the provenance that has changed */
    REASON_CRITERION = REASON_CHANGED + PROVENANCES,
    REASON_INTERRUPTED,
    REASON_AGAIN,
    REASON_FLAGGED,
    REASON_ELSEWHERE,
    REASON_BESIDE,
    REASON_NONE
};

/* Why a record measures a cell, the most wanted first (need.h). A tried cell has been measured as far as it can be. */
enum need { NEED_NOTHING, NEED_HEADLINE, NEED_STALE, NEED_MISSING, NEED_FLAGGED, NEEDS, NEED_TRIED };

/* One cell of an experiment, or of its probes. */
struct task {
    struct cell cell;
    char id[CELL_ID_SIZE];
    enum task_state state;
    enum task_asked asked;
    enum reason reason; /* REASON_NONE: it is not pending */
    char *skip;         /* why it is too large or unsuited, else NULL; owned */
    enum need need;     /* of a record; need_judge sets it */
    size_t predictor;   /* index + 1 of the nearest earlier relative (see predict_link); 0: none */
};

static inline bool task_pending(const struct task *task)
{
    return task->state == TASK_PENDING && task->asked == TASK_ASKED;
}

static inline bool task_is_skipped(const struct task *task)
{
    return task->state == TASK_TOO_LARGE || task->state == TASK_UNSUITED;
}

/* Whether no round that an interrupted run has saved counts. */
static inline bool task_is_afresh(const struct task *task)
{
    return task->reason == REASON_AGAIN || task->reason == REASON_BESIDE;
}

#endif
