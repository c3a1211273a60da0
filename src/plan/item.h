/* One cell of an experiment as a run sees it: finished, to be measured, or not suited to this machine.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_PLAN_ITEM_H
#define TILELAB_PLAN_ITEM_H

#include "cell.h"
#include "grid.h"
#include "results/result.h"

/* What is to be done for a cell. */
enum item_state {
    ITEM_PENDING,   /* it is measured */
    ITEM_FINISHED,  /* a result still holds */
    ITEM_TOO_LARGE, /* it cannot be measured with the memory that is free now */
    ITEM_UNSUITED   /* this machine cannot measure it */
};

/* Whether this call of the program deals with the item. */
enum item_asked {
    ITEM_ASKED,
    ITEM_DEFERRED,  /* it is left to a later part of a record, or to another machine (part.h) */
    ITEM_DESELECTED /* the command line does not ask for it; its result may foretell the time of others */
};

/* Why a pending item is measured; schedule_reasons has the texts. */
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
struct item {
    struct cell cell;
    char id[CELL_ID_SIZE];
    enum item_state state;
    enum item_asked asked;
    enum reason reason; /* REASON_NONE: it is not pending */
    char *skip;         /* why it is too large or unsuited, else NULL; owned */
    enum need need;     /* of a record; need_judge sets it */
    size_t predictor;   /* index + 1 of the nearest earlier relative (see predict_link); 0: none */
};

static inline bool item_pending(const struct item *item)
{
    return item->state == ITEM_PENDING && item->asked == ITEM_ASKED;
}

static inline bool item_is_skipped(const struct item *item)
{
    return item->state == ITEM_TOO_LARGE || item->state == ITEM_UNSUITED;
}

/* Whether no round that an interrupted run has saved counts. */
static inline bool item_starts_over(const struct item *item)
{
    return item->reason == REASON_AGAIN || item->reason == REASON_BESIDE;
}

#endif
