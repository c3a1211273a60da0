/* Measuring one cell: what its worker is asked, and what becomes of the answers.
 * SPDX-License-Identifier: MIT */
#include "cell.h"
#include "run_parts.h"

#include "progress.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LOST_MOST = 5, THROTTLED_AGAIN = 2 };
static const double LIMIT_FACTOR = 10, LIMIT_LEAST_S = 30;

void run_keep(struct run *run, const struct result *result)
{
    if (store_append(run->store, result) != 0) {
        fprintf(stderr, "tilelab: a result could not be written: %s\n", strerror(errno));
        run->report->store_failed = true;
    }
}

void member_finish(struct run *run, struct member *member)
{
    struct result *result = &member->result;
    result_summarise(result);
    member->finished = true;
    run->report->measured++;
    run->finished_s += member->expected_s;
    run_keep(run, result);
    progress_done(result, member->expected_s);
}

/* What a solver's verified run tells of its way; false on lack of memory. */
static bool take_solve(struct result *result, const struct outcome *outcome)
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
    if (status_blames_method(outcome->status) && !take_solve(result, outcome))
        run->report->store_failed = true;
    member_finish(run, member);
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

/* One request about a member, repeated in a new worker where the old one was lost. True: run->outcome is an answer with
 * status ok. False: the member is finished, or the run is stopped. */
static bool ask(struct run *run, struct member *member, struct request *request, double expected_s)
{
    struct result *result = &member->result;
    struct outcome *outcome = run->outcome;
    const struct backend_setup kind = backend_setup(&result->cell);
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
            if (!member_prepare(run, member))
                return false;
            continue;
        }
        if (request->verb == WORKER_WARM && member->checked_in != worker->generation) {
            if (!member_check(run, member, INPUTS_RANDOM))
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
                     "its worker was ended by SIGKILL %d times; the system may be out of memory", LOST_MOST);
        fail(run, member, outcome);
    }
    return false;
}

static double first_of(double known, double now)
{
    return isnan(known) ? now : known;
}

bool member_check(struct run *run, struct member *member, enum inputs inputs)
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
        if (!take_solve(result, outcome)) {
            run->report->store_failed = true;
            return false;
        }
    }
    return true;
}

bool member_wants_exact(const struct member *member)
{
    const struct cell *cell = &member->result.cell;
    return !member->once && !member->exact_done && cell_has_exact(cell);
}

bool member_warm(struct run *run, struct member *member)
{
    struct request request = {.verb = WORKER_WARM};
    progress_now(&member->result.cell, "warming up");
    if (!ask(run, member, &request, 4 * member->run_s))
        return false;
    if (run->outcome->run_s > 0)
        member->run_s = run->outcome->run_s;
    return true;
}

bool member_prepare(struct run *run, struct member *member)
{
    if (member_wants_exact(member) && !member_check(run, member, INPUTS_EXACT))
        return false;
    return member_check(run, member, INPUTS_RANDOM) && member_warm(run, member);
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

void member_finish_once(struct run *run, struct member *member)
{
    struct outcome *outcome = run->outcome;
    outcome->samples = 1;
    outcome->sample[0] = (struct sample){.repeats = 1,
                                         .iterations = member->result.iterations,
                                         .kernel_s = outcome->run_s,
                                         .cpu_s = outcome->cpu_s,
                                         .upload_s = NAN,
                                         .download_s = NAN,
                                         .total_s = NAN,
                                         .clock_hz = NAN,
                                         .flags = FLAG_ONCE};
    if (add_samples(&member->result, outcome))
        member_finish(run, member);
}

void member_measure(struct run *run, struct member *member, int round, int launch)
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
