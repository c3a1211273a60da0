/* Measuring the cells of a schedule, point by point.
 * SPDX-License-Identifier: MIT */
#include "run_parts.h"

#include "cell.h"
#include "progress.h"
#include "base/timer.h"
#include "machine/cores_watch.h"
#include "own/own.h"
#include "plan/predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* As many cells of a point are prepared at once: each of them keeps its workspaces until the point is measured. */
enum { FAILURES_IN_A_ROW = 5, PREPARED_MOST = 256 };
/* So often cells are measured again whose times are in doubt. */
enum { AGAIN_MOST = 2 };

/* Writes why a cell that this machine can measure is not measured now. False if it is measured. */
static bool refuse(struct run *run, const struct cell *cell, double predicted_s, const struct cost *cost,
                   char reason[200])
{
    const double most_s = run->measure->skip_above_s;
    if (predicted_s > most_s) {
        snprintf(reason, 200, "one run is predicted to take %.3g s, more than skip-above %.3g s", predicted_s, most_s);
    } else if (run->failures[entry_index(cell->entry)] >= FAILURES_IN_A_ROW) {
        snprintf(reason, 200, "%s failed %d times in a row", cell->entry->name, FAILURES_IN_A_ROW);
    } else if (!run_budget_fits(run, cost)) {
        run_budget_refuse(run, predict_total_s(cost), reason);
    } else {
        return false;
    }
    return true;
}

/* Adds the cell of an item to those that are measured together, unless there is a reason to skip it. */
static void admit(struct run *run, struct item *item)
{
    const struct measure *measure = run->measure;
    const double predicted_s = predict_run_s(run->schedule->item, run->store, item);
    struct predict_workers workers = run->workers;
    const enum predict_start start = predict_starts_worker(&workers, &item->cell);
    const struct cost cost = predict_cost(measure, &item->cell, predicted_s, start);
    char reason[200];
    if (run->again > 0 && !run_budget_fits(run, &cost)) {
        progress_skip();
        return;
    }
    if (run->again == 0 && refuse(run, &item->cell, predicted_s, &cost, reason)) {
        run_keep_skip(run, item, reason);
        run_expect_nothing(run, item);
        progress_skip();
        return;
    }
    struct cell_run *cell_run = &run->cell_run[run->cell_runs++];
    *cell_run = (struct cell_run){
        .item = item, .run_s = predicted_s, .once = predicted_s > measure->once_above_s, .start = start};
    struct result *result = &cell_run->result;
    provenance_begin(&run->schedule->shared, &item->cell, item->id, result);
    snprintf(result->device, sizeof result->device, "%s", backend_of(&item->cell)->device(&item->cell));
    result->flops = cell_flops(&item->cell);
    result->bytes = cell_traffic(&item->cell);
    /* A prediction depends on what was measured before. A simulated one follows from the cell alone, as times do. */
    result->predicted_s = timer_is_fake() ? predict_run_s(run->schedule->item, NULL, item) : predicted_s;
    run->workers = workers;
    run_cell_resume(run, cell_run);
    run_expect_cell(run, cell_run);
}

/* Counts the failures in a row of each variant, from the store and in the order of the schedule. The counts are then
 * the same after an interruption. */
static void count_failures(struct run *run, const struct point *point)
{
    for (size_t i = 0; i < point->count; i++) {
        const struct item *item = &run->schedule->item[run->schedule->order[point->first + i]];
        int *failures = &run->failures[entry_index(item->cell.entry)];
        struct store_summary known;
        if (store_lookup(run->store, item->id, &known) && known.status != STATUS_SKIPPED)
            *failures = known.status == STATUS_OK || status_blames_method(known.status) ? 0 : *failures + 1;
    }
}

/* Whether two cells use the same operands in memory. */
static bool share_operands(const struct cell *a, const struct cell *b)
{
    return run_point_same_worker(a, b) && cell_shares_inputs(a, b);
}

/* The bytes that the judge takes for the cells so far and `cell`. It has the inputs of a point once, whatever the
 * workers. */
static double bytes_of_judge(const struct cell_run *cell_runs, size_t count, const struct cell *cell)
{
    double bytes = (double)backend_judge_bytes(cell);
    for (size_t i = 0; i < count; i++) {
        bool counted = cell_shares_inputs(&cell_runs[i].result.cell, cell);
        for (size_t j = 0; j < i && !counted; j++)
            counted = cell_shares_inputs(&cell_runs[i].result.cell, &cell_runs[j].result.cell);
        bytes += counted ? 0 : (double)backend_judge_bytes(&cell_runs[i].result.cell);
    }
    return bytes;
}

/* The bytes of operands if `cell` joins the cells so far: of all workers in the memory of the host, or of the worker of
 * `cell` alone. */
static double bytes_together(const struct cell_run *cell_runs, size_t count, const struct cell *cell, bool one_worker)
{
    int64_t (*const bytes_of)(const struct cell *) = one_worker ? backend_bytes : backend_host_bytes;
    double bytes = (double)bytes_of(cell);
    for (size_t i = 0; i < count; i++) {
        const struct cell *other = &cell_runs[i].result.cell;
        bool counted = share_operands(other, cell);
        for (size_t j = 0; j < i && !counted; j++)
            counted = share_operands(other, &cell_runs[j].result.cell);
        if (!counted && (!one_worker || run_point_same_worker(other, cell)))
            bytes += (double)bytes_of(other);
    }
    return bytes;
}

/* Whether the operands fit into memory, and into the memory of the device, if `cell` joins the cells so far. */
static bool fits_beside(const struct cell_run *cell_runs, size_t count, const struct cell *cell)
{
    const int64_t device = backend_of(cell)->memory_bytes(cell);
    return bytes_together(cell_runs, count, cell, false) + bytes_of_judge(cell_runs, count, cell) <=
               schedule_memory_bytes() &&
           (device == 0 || bytes_together(cell_runs, count, cell, true) <= (double)device);
}

/* Whether the workers of the cells so far, and one for `cell`, can live at the same time. */
static bool has_worker(const struct run *run, const struct cell *cell)
{
    struct predict_workers workers = run->workers;
    return workers.count < PREDICT_WORKERS || !predict_starts_worker(&workers, cell);
}

/* Measures the cells so far, so that further cells find room. */
static void measure_cells(struct run *run, size_t at, size_t *order)
{
    if (run->cell_runs > 0 && !stopped(run))
        run_point_measure(run, at, order);
    for (size_t i = 0; i < run->cell_runs; i++)
        result_clear(&run->cell_run[i].result);
    run->cell_runs = 0;
    predict_next_point(&run->workers);
}

/* Whether the item is measured now. */
static bool is_wanted(const struct run *run, const struct item *item)
{
    return run->again > 0 ? run->doubtful[item - run->schedule->item] : item_pending(item);
}

static void run_point(struct run *run, size_t at)
{
    const struct point *point = &run->schedule->point[at];
    const size_t room = point->count < PREPARED_MOST ? point->count : PREPARED_MOST;
    size_t *order = calloc(room, sizeof *order);
    run->cell_run = calloc(room, sizeof *run->cell_run);
    if (!run->cell_run || !order) {
        fprintf(stderr, "tilelab: no memory for %zu cells of a point\n", room);
        run->report->store_failed = true;
    }
    for (size_t i = 0; i < point->count && !stopped(run); i++) {
        struct item *item = &run->schedule->item[run->schedule->order[point->first + i]];
        if (item_is_skipped(item) && item->asked != ITEM_DESELECTED)
            run_keep_skip(run, item, item->skip);
        if (!is_wanted(run, item))
            continue;
        if (run->cell_runs == room || !has_worker(run, &item->cell) ||
            !fits_beside(run->cell_run, run->cell_runs, &item->cell)) {
            measure_cells(run, at, order);
            pool_end();
        }
        admit(run, item);
    }
    measure_cells(run, at, order);
    count_failures(run, point);
    free(run->cell_run);
    free(order);
    run->cell_run = NULL;
}

/* Measures the cells whose times are in doubt again, in new workers, and flags the times that stay in doubt. */
static void measure_again(struct run *run)
{
    size_t before = 0, count;
    const int most = run->options->together ? 0 : AGAIN_MOST;
    for (run->again = 1; run->again <= most && !stopped(run) && (count = run_again_choose(run)) > 0; run->again++) {
        progress_again(count);
        pool_end_launch();
        for (size_t i = 0; i < run->schedule->points && !stopped(run); i++)
            run_point(run, i);
        if (run->remeasured == before)
            break; /* the budget suffices for none of them */
        before = run->remeasured;
    }
    run_again_end(run);
}

void run_schedule(struct schedule *schedule, struct store *store, const struct run_options *options,
                  struct run_report *report)
{
    const double start_s = timer_now_s();
    size_t entries, pending = 0;
    registry(&entries);
    *report = (struct run_report){0};
    struct run run = {.begin_s = start_s,
                      .schedule = schedule,
                      .store = store,
                      .measure = &schedule->experiment->measure,
                      .report = report,
                      .failures = calloc(entries, sizeof(int)),
                      .outcome = calloc(1, sizeof(struct outcome)),
                      .verdict = calloc(1, sizeof(struct outcome)),
                      .left_s = calloc(schedule->count + 1, sizeof *run.left_s),
                      .timed = calloc(schedule->count + 1, sizeof *run.timed),
                      .reached = calloc(schedule->count + 1, sizeof *run.reached),
                      .doubtful = calloc(schedule->count + 1, sizeof *run.doubtful),
                      .options = options};
    if (!run.failures || !run.outcome || !run.verdict || !run.left_s || !run.timed || !run.reached || !run.doubtful) {
        fprintf(stderr, "tilelab: no memory to run\n");
        report->store_failed = true;
    } else {
        run_keep_begin(&run);
        run_expect_points(&run, 0);
    }
    for (size_t i = 0; i < schedule->count; i++)
        pending += item_pending(&schedule->item[i]);
    /* No compiler runs beside a measurement. */
    for (size_t i = 0; i < schedule->count; i++)
        if (item_pending(&schedule->item[i]))
            own_build(&schedule->item[i].cell);
    progress_begin(schedule->experiment->name, pending, &run.estimate);
    pool_waiting = progress_tick;
    for (size_t i = 0; i < schedule->points && !stopped(&run); i++) {
        run_point(&run, i);
        run_keep_export(&run);
        run_expect_points(&run, i + 1);
    }
    if (run.timed && run.reached && run.doubtful)
        measure_again(&run);
    progress_end();
    pool_end();
    cores_watch_end();
    report->interrupted = pool_interrupted;
    report->wall_s = timer_now_s() - start_s;
    free(run.failures);
    free(run.outcome);
    free(run.verdict);
    free(run.left_s);
    free(run.timed);
    free(run.reached);
    free(run.doubtful);
}
