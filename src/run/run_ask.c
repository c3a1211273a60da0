/* Asking the worker of a cell.
 * SPDX-License-Identifier: MIT
 *
 * A worker knows a cell in one of three states. Each request needs the cell in one state and takes it to the next:
 *
 *     unknown --WORKER_CHECK--> checked --WORKER_WARM--> prepared --WORKER_ROUND--+
 *        ^                                                  ^                     |
 *        |                                                  +---------------------+
 *        +------ the worker was lost, or ended for a new launch: the next worker knows nothing
 *
 * Each worker process has a number. A struct cell_run remembers the number of the worker that has checked its cell,
 * and of the worker that has prepared it. A new worker has another number, so run_cell.c repeats the earlier requests
 * first. Any answer but "ok" finishes the cell. */
#include "run_parts.h"

#include "cell.h"
#include "base/timer.h"

#include <math.h>
#include <poll.h>
#include <stdlib.h>

static const double LIMIT_FACTOR = 10, LIMIT_LEAST_S = 30;
/* How long the machine gets to recover from a transient error, time after time, or from answers that come late. */
static const double PAUSE_S[] = {0.1, 0.5, 2};
enum { PAUSES = sizeof PAUSE_S / sizeof *PAUSE_S };

/* How long a worker may take for an answer that is expected after `expected_s`. */
static double limit_s(double expected_s)
{
    return fmax(timer_limit_s(LIMIT_LEAST_S), LIMIT_FACTOR * expected_s);
}

static void fill_request(const struct run *run, const struct cell *cell, struct request *request)
{
    request->entry = (uint32_t)entry_index(cell->entry);
    for (int i = 0; i < AXES; i++)
        request->axis[i] = cell_value(cell, i);
    request->measure = *run->measure;
}

/* Whether a process ended before it could answer. */
static bool is_end(enum status status)
{
    return status == STATUS_CRASH || status == STATUS_TIMEOUT || status == STATUS_EXIT;
}

/* Whether the cell has the state in this worker that the request needs. */
static bool is_ready(const struct cell_run *cell_run, enum worker_command command, unsigned number)
{
    switch (command) {
    case WORKER_WARM:
        return cell_run->checked_in == number;
    case WORKER_ROUND:
    case WORKER_FRESH:
        return cell_run->prepared_in == number;
    default:
        return true;
    }
}

/* Notes the state that the cell has after an answer. */
static void note_state(struct cell_run *cell_run, const struct request *request, unsigned number)
{
    if (request->command == WORKER_CHECK && request->inputs == cell_inputs(&cell_run->result.cell))
        cell_run->checked_in = number;
    if (request->command == WORKER_WARM)
        cell_run->prepared_in = number;
}

/* Whether a worker holds another cell in memory. */
static bool holds_another(const struct run *run, const struct cell_run *cell_run, unsigned number)
{
    for (size_t i = 0; i < run->cell_runs; i++)
        if (&run->cell_run[i] != cell_run && run->cell_run[i].held_in == number)
            return true;
    return false;
}

/* Whether a wrong result comes from inputs that a variant of this worker has changed. The worker is then ended, and the
 * next one generates them anew. */
static bool is_spoiled(struct run *run, const struct cell_run *cell_run, struct worker *worker, unsigned number)
{
    struct request request = {.command = WORKER_INPUTS};
    if (backend_is_team(&cell_run->result.cell) || worker->number != number)
        return false;
    fill_request(run, &cell_run->result.cell, &request);
    if (pool_ask(worker, &request, limit_s(cell_run->cost.check_s), run->verdict) != EXCHANGE_DONE ||
        run->verdict->status == STATUS_OK)
        return false;
    if (!is_end(run->verdict->status))
        pool_end_one(worker);
    return true;
}

/* The kind of a request, and how long the request is predicted to take. */
static enum part part_of(const struct cell_run *cell_run, const struct request *request, double *expected_s)
{
    const struct cost *cost = &cell_run->cost;
    switch (request->command) {
    case WORKER_WARM:
        *expected_s = cost->warm_s + (cell_run->warm_ups == 0 ? cost->raise_s : 0);
        return PART_WARM;
    case WORKER_ROUND:
    case WORKER_FRESH:
        *expected_s = cost->round_s;
        return PART_ROUND;
    default:
        *expected_s = request->inputs != cell_inputs(&cell_run->result.cell)
                          ? cost->exact_s
                          : cost->check_s + (request->digest ? 0 : cost->verify_s);
        return PART_CHECK;
    }
}

/* The worker of a cell, which is started if there is none. */
static enum exchange get_worker(struct run *run, const struct cell_run *cell_run, struct worker **worker)
{
    const struct backend_setup setup = backend_setup(&cell_run->result.cell);
    const double start_s = timer_now_s();
    estimate_begin(&run->estimate, PART_START, cell_run->cost.start_s, timer_now_s());
    const enum exchange exchange = pool_get(&setup, run->schedule->most_bytes, worker, run->outcome);
    const bool is_new = exchange == EXCHANGE_DONE && *worker && (*worker)->number > run->newest;
    estimate_end(&run->estimate, is_new && cell_run->start != PREDICT_GOES_ON, timer_now_s());
    if (is_new) {
        run->newest = (*worker)->number;
        run->report->starts_s += timer_now_s() - start_s;
    }
    return exchange;
}

/* Has the judge verify the output that a worker shows, and takes the verdict over into the worker's answer. */
static enum exchange ask_judge(struct run *run, const struct cell_run *cell_run, const struct request *asked)
{
    const struct backend_setup setup = {.judges = true};
    struct outcome *outcome = run->outcome, *verdict = run->verdict;
    struct worker *judge;
    enum exchange exchange = pool_get(&setup, 0, &judge, verdict);
    if (exchange == EXCHANGE_DONE && !judge)
        exchange = EXCHANGE_TRANSIENT;
    if (exchange == EXCHANGE_DONE) {
        struct request request = *asked;
        request.command = WORKER_JUDGE;
        if (asked->command != WORKER_CHECK)
            request.inputs = cell_inputs(&cell_run->result.cell);
        request.signs = outcome->signs;
        request.digest = asked->command == WORKER_FRESH ? 0 : asked->digest;
        const double expected_s =
            cell_run->cost.verify_s + cell_run->cost.check_s + predict_reference_s(&cell_run->result.cell);
        exchange = pool_ask(judge, &request, limit_s(expected_s), verdict);
    }
    if (exchange == EXCHANGE_TRANSIENT || (exchange == EXCHANGE_DONE && is_end(verdict->status))) {
        outcome_fail(outcome, STATUS_SKIPPED, "the result could not be judged: %.150s", verdict->reason);
        return EXCHANGE_TRANSIENT;
    }
    if (exchange == EXCHANGE_DONE)
        outcome_take_verdict(outcome, verdict);
    return exchange;
}

/* Asks the worker and notes what the answer cost. */
static enum exchange ask_worker(struct run *run, struct cell_run *cell_run, struct worker *worker,
                                const struct request *request, double expected_s)
{
    struct outcome *outcome = run->outcome;
    double part_s;
    const enum part part = part_of(cell_run, request, &part_s);
    estimate_begin(&run->estimate, part, part_s, timer_now_s());
    enum exchange exchange = pool_ask(worker, request, limit_s(expected_s), outcome);
    if (exchange == EXCHANGE_DONE && outcome->status == STATUS_OK && outcome->shown)
        exchange = ask_judge(run, cell_run, request);
    estimate_end(&run->estimate, exchange == EXCHANGE_DONE && outcome->status == STATUS_OK, timer_now_s());
    for (int i = 0; exchange == EXCHANGE_DONE && i < PHASES; i++)
        run->report->phase_s[i] += outcome->phase_s[i];
    return exchange;
}

/* Waits, but not longer than until the run is stopped. */
static void pause_s(const struct run *run, double seconds)
{
    enum { SLICE_MS = 50 };
    const double end_s = timer_now_s() + seconds;
    while (!stopped(run) && timer_now_s() < end_s)
        poll(NULL, 0, SLICE_MS);
}

/* Notes an answer whose times cannot be true. The machine may have held it up, so the same is asked again after ever
 * longer pauses, which outlast a busy moment of the machine. After the last one, the variant is held to have changed
 * the clock. */
static enum asked doubt_clock(const struct run *run, struct cell_run *cell_run)
{
    if (cell_run->clocks_differ < PAUSES) {
        pause_s(run, PAUSE_S[cell_run->clocks_differ++]);
        return ASKED_AGAIN;
    }
    outcome_fail(run->outcome, STATUS_FAILED,
                 "the worker's clock told %.3g s where the supervisor waited %.3g s: the variant has changed it",
                 run->outcome->busy_s, run->outcome->wall_s);
    return ASKED_FAILED;
}

static enum asked attempt(struct run *run, struct cell_run *cell_run, const struct request *request, double expected_s)
{
    struct outcome *outcome = run->outcome;
    struct worker *worker;
    enum exchange exchange = get_worker(run, cell_run, &worker);
    if (exchange != EXCHANGE_DONE)
        return exchange == EXCHANGE_TRANSIENT ? ASKED_TRANSIENT : ASKED_OVER;
    if (!worker)
        return ASKED_FAILED;
    const unsigned number = worker->number;
    if (!is_ready(cell_run, request->command, number))
        return ASKED_TOO_SOON;
    exchange = ask_worker(run, cell_run, worker, request, expected_s);
    if (exchange != EXCHANGE_DONE)
        return exchange == EXCHANGE_TRANSIENT ? ASKED_TRANSIENT : ASKED_OVER;
    if (outcome->status == STATUS_MEMORY && holds_another(run, cell_run, number)) {
        cell_run->deferred = true;
        return ASKED_OVER;
    }
    cell_run->held_in = number;
    if (outcome->status == STATUS_OK && outcome->clocks_differ)
        return doubt_clock(run, cell_run);
    if (outcome->status == STATUS_WRONG && is_spoiled(run, cell_run, worker, number)) {
        if (++cell_run->spoiled == 1)
            return ASKED_AGAIN;
        outcome_fail(outcome, STATUS_FAILED, "the variant changes its input operands in memory");
    }
    if (outcome->status == STATUS_OK)
        cell_run->clocks_differ = 0;
    /* A method may fail on inputs that are not the timed ones. Their time counts all the same. */
    if (request->command == WORKER_FRESH && status_blames_method(outcome->status))
        return ASKED_ANSWERED;
    if (outcome->status != STATUS_OK)
        return ASKED_FAILED;
    note_state(cell_run, request, number);
    return ASKED_ANSWERED;
}

enum asked run_ask(struct run *run, struct cell_run *cell_run, struct cell_request *question)
{
    fill_request(run, &cell_run->result.cell, &question->request);
    while (!stopped(run)) {
        const enum asked asked = attempt(run, cell_run, &question->request, question->expected_s);
        if (asked == ASKED_ANSWERED) {
            run->gave_up = false;
            question->transients = 0;
        }
        if (asked == ASKED_AGAIN)
            continue;
        if (asked != ASKED_TRANSIENT)
            return asked;
        if (stopped(run))
            break;
        /* The machine may recover. After it has not, the next cells are asked for once until a worker answers. */
        if (question->transients == PAUSES || run->gave_up) {
            run->gave_up = true;
            run->report->transients++;
            return ASKED_TRANSIENT;
        }
        pause_s(run, PAUSE_S[question->transients++]);
    }
    return ASKED_OVER;
}
