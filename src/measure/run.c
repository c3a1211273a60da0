/* Measuring the cells of a schedule, point by point.
 * SPDX-License-Identifier: MIT */
#include "run_parts.h"

#include "cell.h"
#include "progress.h"
#include "base/timer.h"
#include "plan/predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* As many cells of a point are prepared at once: each of them keeps its workspaces until the point is measured. */
enum { FAILURES_IN_A_ROW = 5, PREPARED_MOST = 256 };

/* How many times longer the finished cells took than was expected of them. */
static double slowness(const struct run *run)
{
    enum { MOST = 10 };
    const double enough_s = 5, spent_s = timer_now_s() - run->start_s;
    return run->finished_s < enough_s ? 1 : fmin(MOST, fmax(1, spent_s / run->finished_s));
}

/* Fills the member and decides how its cell is measured. False if the cell is skipped. */
static bool admit(struct run *run, struct task *task, struct member *member)
{
    const double predicted_s = predict_run_s(run->schedule->task, run->store, task);
    const struct measure *measure = run->measure;
    char reason[200], budget[32];
    *member = (struct member){.task = task,
                              .run_s = predicted_s,
                              .once = predicted_s > measure->once_above_s,
                              .expected_s = predict_cost_s(measure, &task->cell, predicted_s)};
    reason[0] = '\0';
    if (predicted_s > measure->skip_above_s)
        snprintf(reason, sizeof reason, "one run is predicted to take %.3g s, more than skip-above %.3g s", predicted_s,
                 measure->skip_above_s);
    else if (run->failures[entry_index(task->cell.entry)] >= FAILURES_IN_A_ROW)
        snprintf(reason, sizeof reason, "%s failed %d times in a row", task->cell.entry->name, FAILURES_IN_A_ROW);
    else if (timer_now_s() + slowness(run) * (run->admitted_s + member->expected_s) > run->options->end_s) {
        progress_duration(run->options->budget_s, budget, sizeof budget);
        snprintf(reason, sizeof reason, "outside the budget of %s: predicted %.3g s", budget, member->expected_s);
        struct run_report *report = run->report;
        report->left_least_s = fmin(report->left++ ? report->left_least_s : INFINITY, member->expected_s);
        report->left_s += member->expected_s;
    }
    if (reason[0]) {
        run_keep_skip(run, task, reason);
        return false;
    }
    run->admitted_s += member->expected_s;
    struct result *result = &member->result;
    provenance_begin(&run->schedule->shared, &task->cell, task->id, result);
    snprintf(result->device, sizeof result->device, "%s", backend_of(&task->cell)->device());
    result->flops = cell_flops(&task->cell);
    result->bytes = cell_traffic(&task->cell);
    result->predicted_s = predicted_s;
    run_keep_resume(run, member);
    return true;
}

/* Counts the failures in a row of each variant, from the store and in the order of the schedule. The counts are then
 * the same after an interruption. */
static void count_failures(struct run *run, const struct point *point)
{
    for (size_t i = 0; i < point->count; i++) {
        const struct task *task = &run->schedule->task[run->schedule->order[point->first + i]];
        int *failures = &run->failures[entry_index(task->cell.entry)];
        struct glance known;
        if (store_peek(run->store, task->id, &known) && known.status != STATUS_SKIPPED)
            *failures = known.status == STATUS_OK || status_blames_method(known.status) ? 0 : *failures + 1;
    }
}

/* Whether two cells use the same operands in memory. */
static bool share_operands(const struct cell *a, const struct cell *b)
{
    return run_point_same_worker(a, b) && cell_shares_inputs(a, b);
}

/* The bytes of operands in memory if `cell` joins the members: of all workers, or of the worker of `cell` alone. */
static double bytes_together(const struct member *members, size_t count, const struct cell *cell, bool one_worker)
{
    double bytes = (double)cell_bytes(cell);
    for (size_t i = 0; i < count; i++) {
        const struct cell *member = &members[i].result.cell;
        bool counted = share_operands(member, cell);
        for (size_t j = 0; j < i && !counted; j++)
            counted = share_operands(member, &members[j].result.cell);
        if (!counted && (!one_worker || run_point_same_worker(member, cell)))
            bytes += (double)cell_bytes(member);
    }
    return bytes;
}

/* Whether the operands fit into memory, and into the memory of the device, if `cell` joins the members. */
static bool fits_beside(const struct member *members, size_t count, const struct cell *cell)
{
    const int64_t device = backend_of(cell)->memory_bytes();
    return bytes_together(members, count, cell, false) <= schedule_memory_bytes() &&
           (device == 0 || bytes_together(members, count, cell, true) <= (double)device);
}

/* Measures the members so far, so that further cells find room. */
static void measure_members(struct run *run, size_t at, size_t *order)
{
    if (run->members > 0 && !stopped(run))
        run_point_measure(run, at, order);
    for (size_t i = 0; i < run->members; i++)
        result_clear(&run->member[i].result);
    run->members = 0;
}

static void run_point(struct run *run, size_t at)
{
    const struct point *point = &run->schedule->point[at];
    const size_t room = point->count < PREPARED_MOST ? point->count : PREPARED_MOST;
    size_t *order = calloc(room, sizeof *order);
    run->member = calloc(room, sizeof *run->member);
    if (!run->member || !order) {
        fprintf(stderr, "tilelab: no memory for %zu cells of a point\n", room);
        run->report->store_failed = true;
    }
    run->admitted_s = 0;
    for (size_t i = 0; i < point->count && !stopped(run); i++) {
        struct task *task = &run->schedule->task[run->schedule->order[point->first + i]];
        if (task->skip)
            run_keep_skip(run, task, task->skip);
        if (task->skip || !task_pending(task))
            continue;
        if (run->members == room || !fits_beside(run->member, run->members, &task->cell)) {
            measure_members(run, at, order);
            pool_end();
        }
        run->members += admit(run, task, &run->member[run->members]);
    }
    measure_members(run, at, order);
    count_failures(run, point);
    free(run->member);
    free(order);
    run->member = NULL;
}

void run_schedule(struct schedule *schedule, struct store *store, const struct run_options *options,
                  struct run_report *report)
{
    size_t entries, pending = 0;
    double expected_s = 0;
    registry(&entries);
    *report = (struct run_report){0};
    struct run run = {.schedule = schedule,
                      .store = store,
                      .measure = &schedule->experiment->measure,
                      .report = report,
                      .failures = calloc(entries, sizeof(int)),
                      .outcome = calloc(1, sizeof(struct outcome)),
                      .start_s = timer_now_s(),
                      .options = options};
    if (!run.failures || !run.outcome) {
        fprintf(stderr, "tilelab: no memory to run\n");
        report->store_failed = true;
    }
    for (size_t i = 0; i < schedule->count; i++)
        if (task_pending(&schedule->task[i])) {
            pending++;
            expected_s += predict_cost_s(run.measure, &schedule->task[i].cell,
                                         predict_run_s(schedule->task, store, &schedule->task[i]));
        }
    progress_begin(schedule->experiment->name, pending, expected_s);
    pool_waiting = progress_tick;
    for (size_t i = 0; i < schedule->points && !stopped(&run); i++)
        run_point(&run, i);
    progress_end();
    pool_end();
    report->interrupted = pool_interrupted;
    report->wall_s = timer_now_s() - run.start_s;
    free(run.failures);
    free(run.outcome);
}
