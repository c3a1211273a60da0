/* Measuring what a schedule holds.
 * SPDX-License-Identifier: MIT */
#include "run.h"

#include "inputs.h"
#include "pool.h"
#include "progress.h"
#include "timer.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LOST_MOST = 5, FAILURES_IN_A_ROW = 5, THROTTLED_AGAIN = 2 };
static const double LIMIT_FACTOR = 10, LIMIT_LEAST_S = 30;

/* A task while its point is measured. */
struct member {
    struct task *task;
    struct result result;
    double run_s;      /* predicted, then measured */
    double expected_s; /* of the whole cell, for the time left */
    int rounds;
    unsigned checked_in;  /* generation of the worker that has verified it on the timed inputs */
    unsigned prepared_in; /* and of the one that has warmed it as well */
    bool exact_done, once, finished;
};

struct run {
    struct schedule *schedule;
    struct store *store;
    const struct measure *measure;
    struct run_report *report;
    int *failures; /* in a row, by registry entry */
    struct outcome *outcome;
    double start_s;
    const struct run_options *options;
    double finished_s; /* expected of the cells that are finished */
    double admitted_s; /* expected of the cells of this point so far */
};

static size_t entry_index(const struct entry *entry)
{
    size_t count;
    return (size_t)(entry - registry(&count));
}

static bool stopped(const struct run *run)
{
    return pool_interrupted || run->report->store_failed;
}

static void keep(struct run *run, const struct result *result)
{
    if (store_append(run->store, result) != 0) {
        fprintf(stderr, "tilelab: a result could not be written: %s\n", strerror(errno));
        run->report->store_failed = true;
    }
}

static void finish(struct run *run, struct member *member)
{
    struct result *result = &member->result;
    result_summarise(result);
    member->finished = true;
    run->report->measured++;
    run->finished_s += member->expected_s;
    keep(run, result);
    progress_done(result, member->expected_s);
}

/* The cell ends with what the worker said, or with what became of the worker. */
static void fail(struct run *run, struct member *member, const struct outcome *outcome)
{
    struct result *result = &member->result;
    result->status = outcome->status;
    snprintf(result->reason, sizeof result->reason, "%s", outcome->reason);
    if (outcome->status == STATUS_WRONG) {
        result->error = outcome->error;
        result->bound = outcome->bound;
    }
    finish(run, member);
}

static double limit_s(double expected_s)
{
    static double least_s = -1;
    if (least_s < 0) {
        const char *text = getenv("TILELAB_TIMEOUT_S");
        least_s = text && atof(text) > 0 ? atof(text) : LIMIT_LEAST_S;
    }
    return fmax(least_s, LIMIT_FACTOR * expected_s);
}

static bool check(struct run *run, struct member *member, enum inputs inputs);
static bool prepare(struct run *run, struct member *member);

/* One request about a member, repeated in a new worker where the old one was lost. True: run->outcome is an answer with
 * status ok. False: the member is finished, or the run is stopped. */
static bool ask(struct run *run, struct member *member, struct request *request, double expected_s)
{
    struct result *result = &member->result;
    struct outcome *outcome = run->outcome;
    const struct worker_kind kind = cell_worker(&result->cell);
    request->entry = (uint32_t)entry_index(result->cell.entry);
    for (int i = 0; i < AXES; i++)
        request->axis[i] = cell_value(&result->cell, i);
    request->measure = *run->measure;
    for (int lost = 0; lost < LOST_MOST && !stopped(run); lost++) {
        struct worker *worker = pool_get(&kind, run->schedule->most_bytes, outcome);
        if (!worker && outcome->status == STATUS_OK)
            continue;
        if (!worker) {
            fail(run, member, outcome);
            return false;
        }
        if (request->verb == WORKER_ROUND && member->prepared_in != worker->generation) {
            if (!prepare(run, member))
                return false;
            continue;
        }
        if (request->verb == WORKER_WARM && member->checked_in != worker->generation) {
            if (!check(run, member, INPUTS_RANDOM))
                return false;
            continue;
        }
        const unsigned generation = worker->generation;
        const enum exchange exchange = pool_ask(worker, request, limit_s(expected_s), outcome);
        if (exchange == EXCHANGE_INTERRUPTED)
            return false;
        if (exchange == EXCHANGE_LOST)
            continue;
        for (int i = 0; i < PHASES; i++)
            run->report->phase_s[i] += outcome->phase_s[i];
        if (outcome->status != STATUS_OK) {
            fail(run, member, outcome);
            return false;
        }
        if (request->verb == WORKER_CHECK && request->inputs == INPUTS_RANDOM)
            member->checked_in = generation;
        if (request->verb == WORKER_WARM)
            member->prepared_in = generation;
        return true;
    }
    if (!stopped(run)) {
        outcome_fail(outcome, STATUS_MEMORY,
                     "its worker was ended by SIGKILL %d times; the system may be out of memory",
                     LOST_MOST);
        fail(run, member, outcome);
    }
    return false;
}

/* ---- one cell ---- */

static double first_of(double known, double now)
{
    return isnan(known) ? now : known;
}

static bool check(struct run *run, struct member *member, enum inputs inputs)
{
    struct request request = {.verb = WORKER_CHECK, .inputs = inputs};
    progress_now(&member->result.cell, "checking");
    if (!ask(run, member, &request, member->run_s))
        return false;
    const struct outcome *outcome = run->outcome;
    struct result *result = &member->result;
    result->first_run_s = first_of(result->first_run_s, outcome->first_run_s);
    result->alloc_s = first_of(result->alloc_s, outcome->alloc_s);
    member->run_s = outcome->run_s;
    if (inputs == INPUTS_EXACT) {
        member->exact_done = true;
    } else {
        result->error = outcome->error;
        result->bound = outcome->bound;
        result->norm2 = outcome->norm2;
        result->growth = outcome->growth;
    }
    return true;
}

static bool wants_exact(const struct member *member)
{
    const struct cell *cell = &member->result.cell;
    return !member->once && !member->exact_done && cell_has_exact(cell);
}

static bool warm(struct run *run, struct member *member)
{
    struct request request = {.verb = WORKER_WARM};
    progress_now(&member->result.cell, "warming up");
    if (!ask(run, member, &request, 4 * member->run_s))
        return false;
    if (run->outcome->run_s > 0)
        member->run_s = run->outcome->run_s;
    return true;
}

/* Exact check once a cell; check on the timed inputs and warm-up in every worker. */
static bool prepare(struct run *run, struct member *member)
{
    if (wants_exact(member) && !check(run, member, INPUTS_EXACT))
        return false;
    return check(run, member, INPUTS_RANDOM) && warm(run, member);
}

static bool add_samples(struct result *result, const struct outcome *outcome)
{
    const size_t count = result->sample_count + (size_t)outcome->samples;
    struct sample *more = realloc(result->sample, (count ? count : 1) * sizeof *more);
    if (!more)
        return false;
    memcpy(more + result->sample_count, outcome->sample, (size_t)outcome->samples * sizeof *more);
    result->sample = more;
    result->sample_count = count;
    return true;
}

/* A run of more than `once-above`: the check that has just been made is its measurement. */
static void finish_once(struct run *run, struct member *member)
{
    struct outcome *outcome = run->outcome;
    outcome->samples = 1;
    outcome->sample[0] = (struct sample){.repeats = 1,
                                         .kernel_s = outcome->run_s,
                                         .cpu_s = outcome->cpu_s,
                                         .upload_s = NAN,
                                         .download_s = NAN,
                                         .total_s = NAN,
                                         .clock_hz = NAN,
                                         .flags = FLAG_ONCE};
    if (add_samples(&member->result, outcome))
        finish(run, member);
}

static void measure_in_round(struct run *run, struct member *member, int round, int launch)
{
    struct request request = {.verb = WORKER_ROUND, .round = round, .launch = launch};
    struct result *result = &member->result;
    progress_now(&result->cell, "measuring");
    const double share_s = run->measure->max_time_s / run->measure->rounds;
    for (int again = 0;; again++) {
        if (!ask(run, member, &request, share_s + 12 * member->run_s))
            return;
        unsigned flags = 0;
        for (int i = 0; i < run->outcome->samples; i++)
            flags |= run->outcome->sample[i].flags;
        if (!(flags & FLAG_THROTTLED) || again == THROTTLED_AGAIN)
            break;
    }
    const struct outcome *outcome = run->outcome;
    if (outcome->converged >= 0)
        result->converged =
            result->converged < 0 ? outcome->converged : result->converged & outcome->converged;
    if (outcome->bitwise >= 0)
        result->bitwise =
            result->bitwise < 0 ? outcome->bitwise : result->bitwise & outcome->bitwise;
    if (!add_samples(result, outcome))
        run->report->store_failed = true;
}

/* ---- one point ---- */

static void store_skip(struct run *run, struct task *task, const char *reason)
{
    const struct result *known = store_find(run->store, task->id);
    struct result result = {0};
    if (known && known->status == STATUS_SKIPPED && strcmp(known->reason, reason) == 0)
        return;
    if (known && known->status != STATUS_SKIPPED) {
        /* A budget, or memory that is short just now, takes nothing away that still holds. */
        memcpy(result.provenance, known->provenance, sizeof result.provenance);
        if (schedule_holds(run->schedule, &task->cell, result.provenance))
            return;
        result = (struct result){0};
    }
    result_clear(&result);
    result.cell = task->cell;
    memcpy(result.id, task->id, sizeof result.id);
    schedule_provenance(run->schedule, &task->cell, result.provenance);
    result.status = STATUS_SKIPPED;
    snprintf(result.reason, sizeof result.reason, "%s", reason);
    keep(run, &result);
}

/* How much longer cells took than was expected of them, so far. */
static double slowness(const struct run *run)
{
    enum { MOST = 10 };
    const double enough_s = 5, spent_s = timer_now_s() - run->start_s;
    return run->finished_s < enough_s ? 1 : fmin(MOST, fmax(1, spent_s / run->finished_s));
}

/* Fills the member and decides how it is measured; false if it is not. */
static bool admit(struct run *run, struct task *task, struct member *member)
{
    const double predicted_s = schedule_predict(run->schedule, run->store, task);
    const struct measure *measure = run->measure;
    char reason[200], budget[32];
    *member = (struct member){.task = task,
                              .run_s = predicted_s,
                              .once = predicted_s > measure->once_above_s,
                              .expected_s = schedule_cost_s(measure, &task->cell, predicted_s)};
    reason[0] = '\0';
    if (predicted_s > measure->skip_above_s)
        snprintf(reason, sizeof reason,
                 "one run is predicted to take %.3g s, more than skip-above %.3g s", predicted_s,
                 measure->skip_above_s);
    else if (run->failures[entry_index(task->cell.entry)] >= FAILURES_IN_A_ROW)
        snprintf(reason, sizeof reason, "%s failed %d times in a row", task->cell.entry->name,
                 FAILURES_IN_A_ROW);
    else if (timer_now_s() + slowness(run) * (run->admitted_s + member->expected_s) >
             run->options->end_s) {
        progress_duration(run->options->budget_s, budget, sizeof budget);
        snprintf(reason, sizeof reason, "outside the budget of %s: predicted %.3g s", budget,
                 member->expected_s);
    }
    if (reason[0]) {
        store_skip(run, task, reason);
        return false;
    }
    run->admitted_s += member->expected_s;
    struct result *result = &member->result;
    result_clear(result);
    result->cell = task->cell;
    memcpy(result->id, task->id, sizeof result->id);
    schedule_provenance(run->schedule, &task->cell, result->provenance);
    snprintf(result->device, sizeof result->device, "%s", backend_of(&task->cell)->device());
    const struct problem *problem = task->cell.entry->problem;
    result->flops = problem->flops(&task->cell);
    result->bytes = problem->bytes(&task->cell);
    result->predicted_s = predicted_s;
    return true;
}

/* A seeded random order for each round, the same for every run. */
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

/* All exact checks before all others, so that inputs change once. */
static void prepare_all(struct run *run, struct member *members, size_t count, int launch)
{
    for (size_t i = 0; i < count && !stopped(run); i++)
        if (!members[i].finished && !members[i].once && wants_exact(&members[i]))
            check(run, &members[i], INPUTS_EXACT);
    for (size_t i = 0; i < count && !stopped(run); i++) {
        struct member *member = &members[i];
        if (member->finished)
            continue;
        if (launch > 0) {
            prepare(run, member);
            continue;
        }
        if (!check(run, member, INPUTS_RANDOM))
            continue;
        /* Foreseen, or not: this cell is given no rounds. */
        if (member->once || member->run_s > run->measure->once_above_s)
            finish_once(run, member);
        else if (warm(run, member))
            member->rounds = schedule_rounds(run->measure, member->run_s);
    }
}

static bool any_left(const struct member *members, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!members[i].finished)
            return true;
    return false;
}

/* A member with fewer rounds than the others takes them spread over all launches. */
static bool takes_part(const struct member *member, int round, int rounds)
{
    return round == 0 || round * member->rounds / rounds > (round - 1) * member->rounds / rounds;
}

static void measure_point(struct run *run, size_t at, struct member *members, size_t count,
                          size_t *order)
{
    const struct measure *measure = run->measure;
    const int a_launch = (measure->rounds + measure->launches - 1) / measure->launches;
    int launch = -1;
    for (int round = 0; round < measure->rounds && any_left(members, count) && !stopped(run);
         round++) {
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
                measure_in_round(run, member, round, launch);
        }
    }
    for (size_t i = 0; i < count && !stopped(run); i++)
        if (!members[i].finished)
            finish(run, &members[i]);
    pool_close_sets();
}

/* Failures in a row of each variant, from the store and in the schedule's order: the same after an interruption. */
static void count_failures(struct run *run, const struct point *point)
{
    for (size_t i = 0; i < point->count; i++) {
        const struct task *task = &run->schedule->task[run->schedule->order[point->first + i]];
        int *failures = &run->failures[entry_index(task->cell.entry)];
        enum status status;
        if (store_peek(run->store, task->id, &status, NULL) && status != STATUS_SKIPPED)
            *failures = status == STATUS_OK ? 0 : *failures + 1;
    }
}

/* Each kind of worker holds the operands of its own: bytes of all of them, were `cell` to join the members. */
static double bytes_together(const struct member *members, size_t count, const struct cell *cell)
{
    double bytes = (double)cell_bytes(cell);
    const struct worker_kind joining = cell_worker(cell);
    for (size_t i = 0; i < count; i++) {
        const struct worker_kind kind = cell_worker(&members[i].result.cell);
        bool counted = memcmp(&kind, &joining, sizeof kind) == 0 &&
                       cells_share_inputs(&members[i].result.cell, cell);
        for (size_t j = 0; j < i && !counted; j++) {
            const struct worker_kind other = cell_worker(&members[j].result.cell);
            counted = memcmp(&kind, &other, sizeof kind) == 0 &&
                      cells_share_inputs(&members[i].result.cell, &members[j].result.cell);
        }
        if (!counted)
            bytes += (double)cell_bytes(&members[i].result.cell);
    }
    return bytes;
}

/* Measures the members so far, so that others find room. */
static size_t measure_members(struct run *run, size_t at, struct member *members, size_t count,
                              size_t *order)
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
        if (bytes_together(members, count, &task->cell) > schedule_memory_bytes()) {
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
            expected_s += schedule_cost_s(run.measure, &schedule->task[i].cell,
                                          schedule_predict(schedule, store, &schedule->task[i]));
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
