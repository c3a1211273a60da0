/* What an experiment still has to measure, in which order, and how long that will take.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_PLAN_SCHEDULE_H
#define TILELAB_PLAN_SCHEDULE_H

#include "provenance.h"
#include "study.h"
#include "item.h"
#include "results/store.h"

/* Cells measured together: the items of one problem, precision and shape, and the probes that accompany the items. */
struct point {
    size_t first, count; /* in schedule->order */
};

struct schedule {
    struct study *study;
    const struct experiment *experiment; /* what the study is asked for */
    struct item *item;                   /* in the order of the CSV files: the grid, then the probes */
    size_t count;
    size_t grid_items; /* the first items: the experiment's cells with and without its settings; the probes follow */
    size_t *order;     /* item indices by point */
    struct point *point;
    size_t points;
    int64_t most_bytes; /* operands of the largest cell */
    struct provenance_shared shared;
    struct grid listed; /* the cells that the CSV files list; schedule_list makes it */
    char (*listed_id)[CELL_ID_SIZE];
};

/* Which finished results are measured again. */
enum again { AGAIN_NOTHING, AGAIN_FAILED, AGAIN_ALL };

/* "missing", "source changed", ..., "less careful", "asked for again". */
extern const char *const schedule_reasons[REASON_NONE];

/* How many items are to be measured for a reason. */
size_t schedule_count(const struct schedule *schedule, enum reason reason);
/* Makes the schedule of a study, which outlives the schedule; the caller frees the schedule with schedule_free. A cell
 * is finished if the result that the store shows is complete, of today's source, library, machine and clock, and as
 * careful as asked. `store` may be NULL: every cell is then missing. NULL after a diagnostic (exit code 2). */
struct schedule *schedule_make(struct study *study, struct store *store, enum again again, FILE *diagnostics);
void schedule_free(struct schedule *schedule);

/* Lists the cells of all profiles of the experiment's file, so that a run of one profile keeps the rows of the others.
 * A cell that only a setting of the command line names is not listed.
 * The list is sorted, and the probes follow. Tells the store, unless it is NULL, what today's result of each cell
 * depends on. A profile that gives no cells on this machine adds none. */
void schedule_list(struct schedule *schedule, struct store *store);

/* Sets the state of an item that suits this machine, and its reason, by the result that the store shows now. */
void schedule_judge(const struct schedule *schedule, const struct store *store, enum again again, struct item *item);

/* Has all cells of a point that are asked for measured again where one of them is to be measured, or where they are
 * results of different runs: cells that are compared with each other are then of the same rounds. */
void schedule_join(struct schedule *schedule, const struct store *store);

/* Whether a probe bounds a cell: both run on the same device, and on a CPU on the same threads. */
bool schedule_bounds(const struct cell *probe, const struct cell *cell);

/* Bytes of memory that the operands of all workers may take together. */
double schedule_memory_bytes(void);

#endif
