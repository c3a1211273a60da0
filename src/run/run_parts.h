/* What the parts of a run share: run.c goes through the points, run_point.c measures a point, run_cell.c asks workers
 * about one cell, run_budget.c keeps the run within its budget, run_replay.c finds variants that keep results,
 * run_keep.c puts results into the store, run_again.c finds the times that are in doubt, run_ceilings.c those above a
 * measured ceiling, run_cores.c watches the cores.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_RUN_RUN_PARTS_H
#define TILELAB_RUN_RUN_PARTS_H

#include "estimate.h"
#include "pool.h"
#include "run.h"
#include "plan/predict.h"

/* An item while its point is measured. */
struct cell_run {
    struct item *item;
    struct result result;
    double run_s;                      /* time of one run: first as predicted, then as measured */
    double warm_s;                     /* time of a run once it was warm, in the latest launch; 0: not known */
    struct cost cost;                  /* time that the parts of measuring the cell take, after run_s */
    enum predict_start start;          /* whether the cell is the first one of its worker */
    int rounds_done, checks, warm_ups; /* how many of these are finished; checks on the timed inputs only */
    int rounds;           /* how many rounds the cell takes part in; 0: not known before its first warm-up */
    size_t saved_samples; /* how many samples the store has: of a partial result */
    unsigned held_in;     /* number of the latest worker that has the cell in memory */
    unsigned checked_in;  /* number of the worker that has verified the cell on the timed inputs */
    unsigned prepared_in; /* number of the worker that has also warmed the cell up */
    bool exact_done;      /* the cell was verified on exact inputs */
    double spread;        /* half the range of the rounds so far, relative to their median; 0: not known */
    uint64_t digest;      /* of the output on the timed inputs that was verified; 0: none was */
    int spoiled;          /* wrong results from inputs that were changed */
    int clocks_differ;    /* answers in a row whose times cannot be true */
    double first_s;       /* time of the first run on the timed inputs; 0: not known */
    double cleared_s;     /* time of a run for which the variant was found to do its work; 0: not looked at */
    bool converged;       /* the cell needs fewer rounds in each launch */
    bool once;            /* the cell is run once: a run takes longer than once-above */
    bool deferred;        /* its worker had no memory left: the cell is tried again when the others are finished */
    bool finished;        /* the result is in the store */
};

struct run {
    struct schedule *schedule;
    struct store *store;
    const struct measure *measure;
    struct run_report *report;
    int *failures;           /* in a row, for each entry of the registry */
    struct outcome *outcome; /* the latest answer of a worker */
    struct outcome *verdict; /* the latest answer of the judge */
    const struct run_options *options;
    struct cell_run *cell_run; /* the cells that are prepared together */
    size_t cell_runs;
    double save_due_s;              /* when finished rounds are to be saved next */
    double export_due_s;            /* when the CSV files are to be written next */
    struct predict_workers workers; /* that the cells need */
    struct estimate estimate;
    double (*left_s)[PARTS]; /* of each item: its share of estimate.left_s */
    double expect_due_s;     /* when the items to come are to be predicted next */
    int *timed;              /* of each item: how often this run has measured its time */
    double *reached;         /* of each item of a probe: the highest rate of its samples; 0: it has no ceiling */
    bool *doubtful;          /* of each item: its time is in doubt */
    size_t remeasured;       /* cells that were measured again so far */
    int again;               /* how often cells in doubt were measured again; 0: all pending cells are measured */
    double begin_s;          /* when the run began, on the clock of timer_now_s */
    struct {
        int64_t threads; /* 0: there was none */
        bool usual;      /* these threads had their usual rate */
        double end_s;    /* on the clock of timer_now_s */
    } look;              /* the latest look at the cores */
    struct {
        struct cell cell; /* that took the power */
        double power_w;   /* 0: no run has told its power yet */
        double at_s;      /* on the clock of timer_now_s */
    } hot;                /* the latest run that has told the power of a device */
    double cores_s;       /* spent on looking at the cores, waiting for them, and measuring rounds again for them */
    bool gave_up;         /* the latest request ended in a transient error of the machine, and so did all tries again */
    unsigned newest;      /* number of the newest worker that was seen */
};

static inline size_t entry_index(const struct entry *entry)
{
    size_t count;
    return (size_t)(entry - registry(&count));
}

/* The launch of a round. All launches have about as many rounds. */
static inline int launch_of(const struct run *run, int round)
{
    return (int)((int64_t)round * run->measure->launches / run->measure->rounds);
}

static inline bool stopped(const struct run *run)
{
    return pool_interrupted || run->report->store_failed;
}

/* ---- The budget (run_budget.c). */

/* Whether the budget suffices for what is left of the cells that are measured together, and for one more of a cost. */
bool run_budget_fits(const struct run *run, const struct cost *cost);
/* Counts a cell as left by the budget, and writes this reason. `total_s` is what it is predicted to take. */
void run_budget_refuse(struct run *run, double total_s, char reason[200]);
/* Leaves cells to a later run, the costliest first, until the others fit into the budget: a cell may take many times
 * longer than predicted. Its finished rounds are kept. */
void run_budget_keep(struct run *run);

/* ---- Keeping results (run_keep.c). If the store refuses, the run stops. */

/* Begins the intervals after which finished rounds are saved and the CSV files are written. */
void run_keep_begin(struct run *run);
/* Puts a result into the store. */
void run_keep(struct run *run, struct result *result);
/* Stores an item as skipped for a reason, unless the store shows a result of the cell. */
void run_keep_skip(struct run *run, struct item *item, const char *reason);
/* Saves the finished rounds of one cell as a partial result, unless the store has them. */
void run_keep_partial(struct run *run, struct cell_run *cell_run);
/* Saves the finished rounds of the cells as partial results: at once, or if the last time is long enough ago. */
void run_keep_rounds(struct run *run, bool at_once);
/* Writes the CSV files if the last time is long enough ago. */
void run_keep_export(struct run *run);

/* ---- Times in doubt (run_again.c). */

/* Notes which times are in doubt, and returns how many. */
size_t run_again_choose(struct run *run);
/* Whether a larger size of the same variant is so much faster that the time of the smaller one is in doubt. */
bool run_again_contradicts(const struct result *small, const struct result *large);
/* Whether a library takes much longer on more threads than on fewer, in cells that differ in nothing else. */
bool run_again_loses(const struct result *more, const struct result *fewer);
/* Whether a time in doubt gives way to a fresh result: not to a time of fewer rounds or launches. */
bool run_again_gives_way(const struct result *doubtful, const struct result *fresh);
/* Flags the times that are still in doubt, and counts the doubts of this run. */
void run_again_end(struct run *run);

/* ---- Measured ceilings (run_ceilings.c). */

/* The rate of a probe's fastest round, in operations or bytes a second; 0: it has none. */
double run_ceilings_rate(const struct result *probe);
/* Notes the rates of the samples of an item that was just measured, if it is a probe. */
void run_ceilings_note(struct run *run, size_t item, const struct result *result);
/* Whether the time of an item lies above a ceiling. Then the probes that bound it are in doubt as well. */
bool run_ceilings_choose(struct run *run, size_t item);
/* Refuses the time of an item that still lies above a ceiling after it was measured again. False if it does not. */
bool run_ceilings_refuse(struct run *run, size_t item);

/* ---- Cores that lose their rate (run_cores.c). */

/* Waits until the cores of the cell have their usual rate, if that does not take too much of the run. Returns whether
 * they have it. Cells of one thread, of a team or of a GPU are not watched: true. */
bool run_cores_await(struct run *run, const struct cell *cell);
/* Whether the cores still have their usual rate after a round. */
bool run_cores_kept(struct run *run, const struct cell *cell);
/* Whether the run may spend more time on waiting and on measuring again. */
bool run_cores_may_wait(const struct run *run);

/* ---- What a run still expects to take (run_expect.c). */

/* The parts of a cost, each kind added up. */
void run_expect_parts(const struct cost *cost, double parts_s[PARTS]);
/* Predicts anew what is left of a cell, after its run_s or its state has changed. */
void run_expect_cell(struct run *run, struct cell_run *cell_run);
/* Nothing of an item is left to do. */
void run_expect_nothing(struct run *run, const struct item *item);
/* Predicts the items of all points from the point `from` on, if the last time is long enough ago. */
void run_expect_points(struct run *run, size_t from);

/* ---- One point (run_point.c). */

/* Measures run->cell to its end, or until the run is stopped. `at` is the index of the point. `order` has room for
 * an index of each cell. */
void run_point_measure(struct run *run, size_t at, size_t *order);
/* Whether the cells of two cells run in the same worker. */
bool run_point_same_worker(const struct cell *a, const struct cell *b);

/* ---- One request (run_ask.c). */

/* What a worker is asked about a cell. */
struct cell_request {
    struct request request;
    double expected_s; /* how long the answer is expected to take */
    int transients;    /* of the machine, so far */
};

/* What came of it. */
enum asked {
    ASKED_ANSWERED,  /* run->outcome is the answer, with status ok */
    ASKED_TOO_SOON,  /* the worker does not know the cell in the state that the request needs */
    ASKED_FAILED,    /* the cell has failed, as run->outcome says */
    ASKED_TRANSIENT, /* the machine failed again and again, as run->outcome says */
    ASKED_AGAIN,     /* within run_ask.c: nothing yet */
    ASKED_OVER       /* the cell is deferred, or the run is stopped */
};

/* Makes one request about a cell, again where the machine failed. */
enum asked run_ask(struct run *run, struct cell_run *cell_run, struct cell_request *question);

/* ---- One cell (run_cell.c). Where one of these functions returns false, the cell is finished as failed or deferred,
 * or the run is stopped. */

/* Takes up the rounds that an interrupted run on this machine has saved of the cell. */
void run_cell_resume(struct run *run, struct cell_run *cell_run);
/* Whether the cell is still to be checked on exact inputs. */
bool run_cell_wants_exact(const struct cell_run *cell_run);
bool run_cell_check(struct run *run, struct cell_run *cell_run, enum inputs inputs);
bool run_cell_warm(struct run *run, struct cell_run *cell_run);
/* Adds the samples of one round. Once they are believed, run_cell_believe says what is left of the cell. */
bool run_cell_measure(struct run *run, struct cell_run *cell_run, int round, int launch);
void run_cell_believe(struct run *run, struct cell_run *cell_run);
/* Asks for runs of the cell. A worker that does not know the cell checks it and warms it up first. */
bool run_cell_ask_for_runs(struct run *run, struct cell_run *cell_run, struct cell_request *question);
/* Leaves the cell to a later run, and keeps its finished rounds. Without any, its row tells the reason. */
void run_cell_leave(struct run *run, struct cell_run *cell_run, const char *reason);
/* Finishes the cell with the status and the reason of the latest answer. */
void run_cell_fail(struct run *run, struct cell_run *cell_run);
/* Finishes a cell whose run takes longer than once-above: the check that has just been made is its only sample. */
void run_cell_finish_once(struct run *run, struct cell_run *cell_run);
/* Summarises the samples and puts the result into the store. */
void run_cell_finish(struct run *run, struct cell_run *cell_run);

/* ---- Results that a variant keeps (run_replay.c). */

/* Whether the samples of the latest answer can be the work, after runs on inputs that the variant has not seen. False:
 * the cell is finished, as replayed or for another reason. */
bool run_replay_is_none(struct run *run, struct cell_run *cell_run);

#endif
