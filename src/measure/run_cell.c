/* Measuring one cell: what a worker is asked about the cell, and what becomes of the answers.
 * SPDX-License-Identifier: MIT
 *
 * A worker knows a cell in one of three states. Each request needs the cell in one state and takes it to the next:
 *
 *     unknown --WORKER_CHECK--> checked --WORKER_WARM--> prepared --WORKER_ROUND--+
 *        ^                                                  ^                     |
 *        |                                                  +---------------------+
 *        +------ the worker was lost, or ended for a new launch: the next worker knows nothing
 *
 * Each worker process has a generation number. A struct member remembers the generation in which its cell was checked,
 * and the generation in which it was prepared. A new worker has another generation, so the earlier requests are
 * repeated first. Any answer but "ok" finishes the cell. */
#include "run_parts.h"

#include "cell.h"
#include "progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ATTEMPTS_MOST = 5, THROTTLED_AGAIN = 2 };
static const double LIMIT_FACTOR = 10, LIMIT_LEAST_S = 30;

void run_cell_finish(struct run *run, struct member *member)
{
    struct result *result = &member->result;
    result_summarise(result);
    member->finished = true;
    run->report->measured++;
    run->finished_s += member->expected_s;
    run_keep(run, result);
    progress_done(result, member->expected_s);
}

/* Takes the log of a solver's verified run. False if memory is short. */
static bool take_log(struct result *result, const struct outcome *outcome)
{
    const struct solver_log *log = &outcome->log;
    if (!result->cell.entry->problem->sweeps)
        return true;
    double *history = realloc(result->history, (size_t)log->recorded * sizeof *history);
    if (!history)
        return false;
    memcpy(history, log->history, (size_t)log->recorded * sizeof *history);
    result->history = history;
    result->history_count = (size_t)log->recorded;
    result->history_every = log->every;
    result->iterations = (int)log->sweeps;
    result->residual = outcome->residual;
    result->radius = outcome->radius;
    return true;
}

/* Finishes the member with the status and the reason of an outcome. */
static void fail(struct run *run, struct member *member, const struct outcome *outcome)
{
    struct result *result = &member->result;
    result->status = outcome->status;
    snprintf(result->reason, sizeof result->reason, "%s", outcome->reason);
    if (outcome->status == STATUS_WRONG) {
        result->error = outcome->error;
        result->bound = outcome->bound;
    }
    if (status_blames_method(outcome->status) && !take_log(result, outcome))
        run->report->store_failed = true;
    run_cell_finish(run, member);
}

/* How long a worker may take for an answer that is expected after `expected_s`. TILELAB_TIMEOUT_S replaces the
 * least. */
static double limit_s(double expected_s)
{
    static double least_s = -1;
    if (least_s < 0) {
        const char *text = getenv("TILELAB_TIMEOUT_S");
        least_s = text && atof(text) > 0 ? atof(text) : LIMIT_LEAST_S;
    }
    return fmax(least_s, LIMIT_FACTOR * expected_s);
}

static void fill_request(const struct run *run, const struct cell *cell, struct request *request)
{
    request->entry = (uint32_t)entry_index(cell->entry);
    for (int i = 0; i < AXES; i++)
        request->axis[i] = cell_value(cell, i);
    request->measure = *run->measure;
}

/* Whether the cell has the state in this worker that the request needs. */
static bool is_ready(const struct member *member, enum worker_verb verb, unsigned generation)
{
    switch (verb) {
    case WORKER_WARM:
        return member->checked_in == generation;
    case WORKER_ROUND:
        return member->prepared_in == generation;
    default:
        return true;
    }
}

/* Makes the check on exact inputs if it is still to be done, then the check on the timed inputs, then the warm-up. */
static bool prepare(struct run *run, struct member *member)
{
    if (run_cell_wants_exact(member) && !run_cell_check(run, member, INPUTS_EXACT))
        return false;
    return run_cell_check(run, member, INPUTS_RANDOM) && run_cell_warm(run, member);
}

/* Takes the cell to the state that the request needs. */
static bool make_ready(struct run *run, struct member *member, enum worker_verb verb)
{
    return verb == WORKER_ROUND ? prepare(run, member) : run_cell_check(run, member, INPUTS_RANDOM);
}

/* Notes the state that the cell has after an answer. */
static void note_state(struct member *member, const struct request *request, unsigned generation)
{
    if (request->verb == WORKER_CHECK && request->inputs == INPUTS_RANDOM)
        member->checked_in = generation;
    if (request->verb == WORKER_WARM)
        member->prepared_in = generation;
}

/* Whether a worker holds another member in memory. */
static bool holds_another(const struct run *run, const struct member *member, unsigned generation)
{
    for (size_t i = 0; i < run->members; i++)
        if (&run->member[i] != member && run->member[i].held_in == generation)
            return true;
    return false;
}

enum attempt {
    ATTEMPT_ANSWERED, /* the answer is in run->outcome, with status ok */
    ATTEMPT_AGAIN,    /* the worker was lost, or the cell has only now reached the state: ask again */
    ATTEMPT_OVER      /* the member is finished, or the run is stopped */
};

static enum attempt attempt(struct run *run, struct member *member, const struct request *request, double expected_s)
{
    struct outcome *outcome = run->outcome;
    const struct backend_setup setup = backend_setup(&member->result.cell);
    struct worker *worker;
    if (pool_get(&setup, run->schedule->most_bytes, &worker, outcome) != EXCHANGE_DONE)
        return ATTEMPT_AGAIN;
    if (!worker) {
        fail(run, member, outcome);
        return ATTEMPT_OVER;
    }
    const unsigned generation = worker->generation;
    if (!is_ready(member, request->verb, generation))
        return make_ready(run, member, request->verb) ? ATTEMPT_AGAIN : ATTEMPT_OVER;
    const enum exchange exchange = pool_ask(worker, request, limit_s(expected_s), outcome);
    if (exchange != EXCHANGE_DONE)
        return exchange == EXCHANGE_ACCIDENT ? ATTEMPT_AGAIN : ATTEMPT_OVER;
    for (int i = 0; i < PHASES; i++)
        run->report->phase_s[i] += outcome->phase_s[i];
    if (outcome->status == STATUS_MEMORY && holds_another(run, member, generation)) {
        member->deferred = true;
        return ATTEMPT_OVER;
    }
    if (outcome->status != STATUS_MEMORY)
        member->held_in = generation;
    if (outcome->status != STATUS_OK) {
        fail(run, member, outcome);
        return ATTEMPT_OVER;
    }
    note_state(member, request, generation);
    return ATTEMPT_ANSWERED;
}

/* Makes one request about a member, again in a new worker where the old one was lost. True: run->outcome is the answer,
 * with status ok. False: the member is finished, or the run is stopped. */
static bool ask(struct run *run, struct member *member, struct request *request, double expected_s)
{
    fill_request(run, &member->result.cell, request);
    for (int attempts = 0; attempts < ATTEMPTS_MOST && !stopped(run); attempts++) {
        const enum attempt came_to = attempt(run, member, request, expected_s);
        if (came_to != ATTEMPT_AGAIN)
            return came_to == ATTEMPT_ANSWERED;
    }
    if (!stopped(run)) {
        outcome_fail(run->outcome, STATUS_MEMORY,
                     "its worker was ended by SIGKILL %d times; the system may be out of memory", ATTEMPTS_MOST);
        fail(run, member, run->outcome);
    }
    return false;
}

/* The first time that is known: a cell is allocated and run for the first time once. */
static double first_of(double known, double now)
{
    return isnan(known) ? now : known;
}

bool run_cell_check(struct run *run, struct member *member, enum inputs inputs)
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
        if (!take_log(result, outcome)) {
            run->report->store_failed = true;
            return false;
        }
    }
    return true;
}

bool run_cell_wants_exact(const struct member *member)
{
    const struct cell *cell = &member->result.cell;
    return !member->once && !member->exact_done && cell_has_exact(cell);
}

bool run_cell_warm(struct run *run, struct member *member)
{
    struct request request = {.verb = WORKER_WARM};
    progress_now(&member->result.cell, "warming up");
    if (!ask(run, member, &request, 4 * member->run_s))
        return false;
    if (run->outcome->run_s > 0)
        member->run_s = run->outcome->run_s;
    return true;
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

void run_cell_finish_once(struct run *run, struct member *member)
{
    struct outcome *outcome = run->outcome;
    outcome->samples = 1;
    outcome->sample[0] = (struct sample){
        .repeats = 1,
        .iterations = member->result.iterations,
        .kernel_s = outcome->run_s,
        .cpu_s = outcome->cpu_s,
        .upload_s = NAN,
        .download_s = NAN,
        .total_s = NAN,
        .clock_hz = NAN,
        .flags = FLAG_ONCE,
    };
    if (add_samples(&member->result, outcome))
        run_cell_finish(run, member);
    else
        run->report->store_failed = true;
}

void run_cell_measure(struct run *run, struct member *member, int round, int launch)
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
        result->converged = result->converged < 0 ? outcome->converged : result->converged & outcome->converged;
    if (outcome->bitwise >= 0)
        result->bitwise = result->bitwise < 0 ? outcome->bitwise : result->bitwise & outcome->bitwise;
    if (!add_samples(result, outcome))
        run->report->store_failed = true;
}
