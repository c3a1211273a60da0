/* Measuring the cells of a schedule, point by point.
 * SPDX-License-Identifier: MIT */
#include "run_parts.h"

#include "cell.h"
#include "progress.h"
#include "base/timer.h"
#include "plan/predict.h"
#include "verify/inputs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FAILURES_IN_A_ROW = 5 };

static void store_skip(struct run *run, struct task *task, const char *reason)
{
    const struct result *known = store_find(run->store, task->id);
    struct result result = {0};
    if (known && known->status == STATUS_SKIPPED && strcmp(known->reason, reason) == 0)
        return;
    if (known && known->status != STATUS_SKIPPED) {
        /* A result that still holds stays, although the budget or the memory does not suffice now. */
        memcpy(result.provenance, known->provenance, sizeof result.provenance);
        if (provenance_change(&run->schedule->shared, &task->cell, result.provenance) == PROVENANCES)
            return;
        result = (struct result){0};
    }
    provenance_begin(&run->schedule->shared, &task->cell, task->id, &result);
    result.status = STATUS_SKIPPED;
    snprintf(result.reason, sizeof result.reason, "%s", reason);
    run_keep(run, &result);
}

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
    }
    if (reason[0]) {
        store_skip(run, task, reason);
        return false;
    }
    run->admitted_s += member->expected_s;
    struct result *result = &member->result;
    provenance_begin(&run->schedule->shared, &task->cell, task->id, result);
    snprintf(result->device, sizeof result->device, "%s", backend_of(&task->cell)->device());
    result->flops = cell_flops(&task->cell);
    result->bytes = cell_traffic(&task->cell);
    result->predicted_s = predicted_s;
    return true;
}

/* A random order for each round. The seed decides it, so that every run of a study has the same orders. */
static void shuffle(size_t *order, size_t count, uint64_t seed, uint64_t point, int round)
{
    for (size_t i = 0; i < count; i++)
        order[i] = i;
    for (size_t i = count; i-- > 1;) {
        const uint64_t bits = inputs_bits(seed, (uint32_t)(1000 + round), point << 20 | i);
        const size_t j = bits % (i + 1), swapped = order[i];
        order[i] = order[j];
        order[j] = swapped;
    }
}

/* Makes all checks on exact inputs before all others, so that the inputs change only once. */
static void prepare_all(struct run *run, struct member *members, size_t count, int launch)
{
    for (size_t i = 0; i < count && !stopped(run); i++)
        if (!members[i].finished && !members[i].once && run_cell_wants_exact(&members[i]))
            run_cell_check(run, &members[i], INPUTS_EXACT);
    for (size_t i = 0; i < count && !stopped(run); i++) {
        struct member *member = &members[i];
        if (member->finished)
            continue;
        if (launch > 0) {
            run_cell_prepare(run, member);
            continue;
        }
        if (!run_cell_check(run, member, INPUTS_RANDOM))
            continue;
        /* A cell whose run takes so long gets no rounds, whether the prediction said so or the check did. */
        if (member->once || member->run_s > run->measure->once_above_s)
            run_cell_finish_once(run, member);
        else if (run_cell_warm(run, member))
            member->rounds = predict_rounds(run->measure, member->run_s);
    }
}

static bool any_left(const struct member *members, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!members[i].finished)
            return true;
    return false;
}

/* Whether a member takes part in a round. A member with fewer rounds than the others has them in all launches. */
static bool takes_part(const struct member *member, int round, int rounds)
{
    return round == 0 || round * member->rounds / rounds > (round - 1) * member->rounds / rounds;
}

static void measure_point(struct run *run, size_t at, struct member *members, size_t count, size_t *order)
{
    const struct measure *measure = run->measure;
    const int a_launch = (measure->rounds + measure->launches - 1) / measure->launches;
    int launch = -1;
    for (int round = 0; round < measure->rounds && any_left(members, count) && !stopped(run); round++) {
        if (round / a_launch != launch) {
            launch = round / a_launch;
            if (launch > 0)
                pool_end();
            prepare_all(run, members, count, launch);
        }
        shuffle(order, count, measure->seed, at, round);
        for (size_t i = 0; i < count && !stopped(run); i++) {
            struct member *member = &members[order[i]];
            if (!member->finished && takes_part(member, round, measure->rounds))
                run_cell_measure(run, member, round, launch);
        }
    }
    for (size_t i = 0; i < count && !stopped(run); i++)
        if (!members[i].finished)
            run_cell_finish(run, &members[i]);
    pool_close_operands();
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

static bool same_worker(const struct cell *a, const struct cell *b)
{
    const struct backend_setup setup_a = backend_setup(a), setup_b = backend_setup(b);
    return backend_same_setup(&setup_a, &setup_b);
}

/* Whether two cells use the same operands in memory. */
static bool share_operands(const struct cell *a, const struct cell *b)
{
    return same_worker(a, b) && cell_shares_inputs(a, b);
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
        if (!counted && (!one_worker || same_worker(member, cell)))
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

/* Measures the members so far, so that further cells find room. Returns the new number of members: none. */
static size_t measure_members(struct run *run, size_t at, struct member *members, size_t count, size_t *order)
{
    if (count > 0 && !stopped(run))
        measure_point(run, at, members, count, order);
    for (size_t i = 0; i < count; i++)
        result_clear(&members[i].result);
    return 0;
}

static void run_point(struct run *run, size_t at)
{
    const struct point *point = &run->schedule->point[at];
    struct member *members = calloc(point->count, sizeof *members);
    size_t *order = calloc(point->count, sizeof *order), count = 0;
    if (!members || !order) {
        fprintf(stderr, "tilelab: no memory for %zu cells of a point\n", point->count);
        run->report->store_failed = true;
    }
    run->admitted_s = 0;
    for (size_t i = 0; members && order && i < point->count && !stopped(run); i++) {
        struct task *task = &run->schedule->task[run->schedule->order[point->first + i]];
        if (task->skip)
            store_skip(run, task, task->skip);
        if (task->skip || !task_pending(task))
            continue;
        if (!fits_beside(members, count, &task->cell)) {
            count = measure_members(run, at, members, count, order);
            pool_end();
        }
        if (admit(run, task, &members[count]))
            count++;
    }
    measure_members(run, at, members, count, order);
    count_failures(run, point);
    free(members);
    free(order);
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
