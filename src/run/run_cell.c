/* Measuring one cell: what becomes of the answers of its worker.
 * SPDX-License-Identifier: MIT */
#include "run_parts.h"

#include "cell.h"
#include "progress.h"
#include "base/stats.h"
#include "base/timer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum { THROTTLED_AGAIN = 2 };
static const double SPREAD_SHARE = 0.5;
/* A variant that was found to do its work is looked at again where its runs have become so much faster. */
static const double CLEARED = 0.7;

/* A time that no processor reaches is no time of the work, whatever the output holds. */
static void refuse_impossible(struct result *result)
{
    const struct backend *backend = backend_of(&result->cell);
    const double least_s = backend->least_s && !timer_is_fake() ? backend->least_s(&result->cell) : 0;
    if (result->status != STATUS_OK || !(result->median_s < least_s))
        return;
    snprintf(result->reason, sizeof result->reason,
             "a run took %.3g s, and no processor of this kind does the work in less than %.3g s", result->median_s,
             least_s);
    result->status = STATUS_IMPOSSIBLE;
    result_summarise(result);
}

/* A variant that keeps results does so in every round. Where a hypervisor moves a processor that was asleep, runs behind
 * a pause take twice as long for seconds: one clear round takes the doubt away. */
static void refuse_replay(struct member *member)
{
    struct result *result = &member->result;
    if (result->status != STATUS_OK || !(member->known_s > 0))
        return;
    snprintf(result->reason, sizeof result->reason,
             "a run takes %.3g s on inputs that it has not seen, and %.3g s on the same ones again: the variant "
             "keeps results from run to run",
             member->fresh_s, member->known_s);
    result->status = STATUS_REPLAYED;
    result_summarise(result);
}

void run_cell_finish(struct run *run, struct member *member)
{
    struct result *result = &member->result;
    result_summarise(result);
    refuse_replay(member);
    refuse_impossible(result);
    member->finished = true;
    run->report->measured += run->again == 0;
    run->remeasured += run->again > 0;
    const size_t task = (size_t)(member->task - run->schedule->task);
    run->timed[task]++;
    run_ceilings_note(run, task, result);
    run_expect_member(run, member);
    const struct result *doubtful = run->again > 0 ? store_find(run->store, result->id) : NULL;
    if (!doubtful || run_again_gives_way(doubtful, result))
        run_keep(run, result);
    progress_done(result);
}

void run_cell_give_up(struct run *run, struct member *member, const char *accident)
{
    char reason[sizeof member->result.reason];
    snprintf(reason, sizeof reason, "accident of the machine: %.170s", accident);
    run_keep_partial(run, member);
    run_keep_skip(run, member->task, reason);
    member->finished = true;
    run_expect_member(run, member);
    /* The member's result has been stored as partial if it has samples. */
    member->result.status = STATUS_SKIPPED;
    snprintf(member->result.reason, sizeof member->result.reason, "%s", reason);
    progress_done(&member->result);
}

void run_cell_fail(struct run *run, struct member *member, const struct outcome *outcome)
{
    struct result *result = &member->result;
    result->status = outcome->status;
    snprintf(result->reason, sizeof result->reason, "%s", outcome->reason);
    const bool judged = outcome->status == STATUS_WRONG || status_blames_method(outcome->status);
    if (judged && !outcome_put_verdict(outcome, result))
        run->report->store_failed = true;
    run_cell_finish(run, member);
}

bool run_cell_check(struct run *run, struct member *member, enum inputs inputs)
{
    struct request request = {.verb = WORKER_CHECK,
                              .inputs = inputs,
                              .seed = run->measure->seed,
                              .digest = inputs == INPUTS_RANDOM ? member->digest : 0};
    progress_now(&member->result.cell, "checking");
    if (!run_ask(run, member, &request, member->run_s))
        return false;
    const struct outcome *outcome = run->outcome;
    struct result *result = &member->result;
    outcome_put_measured(outcome, result);
    member->run_s = outcome->run_s;
    if (inputs == INPUTS_EXACT) {
        member->exact_done = true;
        run_expect_member(run, member);
        return true;
    }
    member->checks++;
    member->digest = outcome->digest;
    if (!(member->first_s > 0))
        member->first_s = outcome->run_s;
    if (outcome->verified && !outcome_put_verdict(outcome, result)) {
        run->report->store_failed = true;
        return false;
    }
    run_expect_member(run, member);
    return true;
}

bool run_cell_wants_exact(const struct member *member)
{
    const struct cell *cell = &member->result.cell;
    return !member->once && !member->exact_done && cell_has_exact(cell);
}

bool run_cell_warm(struct run *run, struct member *member)
{
    struct request request = {.verb = WORKER_WARM, .known_s = member->warm_s};
    progress_now(&member->result.cell, "warming up");
    if (!run_ask(run, member, &request, 4 * member->run_s))
        return false;
    if (run->outcome->run_s > 0)
        member->run_s = member->warm_s = run->outcome->run_s;
    member->warm_ups++;
    run_expect_member(run, member);
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

void run_cell_settle(struct run *run, struct member *member)
{
    /* The copy shares samples and history with the member. The summary of an ok result frees neither. */
    struct result copy = member->result;
    if (copy.status != STATUS_OK || member->rounds_done < 2)
        return;
    result_summarise(&copy);
    member->spread = (copy.ci_hi_s - copy.ci_lo_s) / 2 / copy.median_s;
    member->settled = predict_may_settle(&copy.cell) && member->spread <= run->measure->ci;
}

void run_cell_finish_once(struct run *run, struct member *member)
{
    struct outcome *outcome = run->outcome;
    run->report->phase_s[PHASE_WARM] -= outcome->phase_s[PHASE_WARM];
    run->report->phase_s[PHASE_SAMPLE] += outcome->phase_s[PHASE_WARM];
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
        .flags = FLAG_ONCE | outcome->flags,
    };
    if (add_samples(&member->result, outcome))
        run_cell_finish(run, member);
    else
        run->report->store_failed = true;
}

/* Whether some runs of a round were throttled, and others not. A GPU that is throttled in every run of a round has
 * reached a state that lasts, such as its power limit, and a repeated round would find the same state. */
static bool may_pass(const struct outcome *outcome)
{
    int runs = 0, throttled = 0;
    for (int i = 0; i < outcome->samples; i++) {
        runs += !isnan(outcome->sample[i].kernel_s);
        throttled += (outcome->sample[i].flags & FLAG_THROTTLED) != 0;
    }
    return throttled > 0 && throttled < runs;
}

/* The median time of a run in the samples of an answer. */
static double median_s(const struct outcome *outcome)
{
    double value[sizeof outcome->sample / sizeof *outcome->sample];
    size_t count = 0;
    for (int i = 0; i < outcome->samples; i++)
        if (!isnan(outcome->sample[i].kernel_s))
            value[count++] = outcome->sample[i].kernel_s;
    return count > 0 ? stats_median(value, count) : NAN;
}

/* The shortest sample of a cell; 0: it has none. */
static double fastest_s(const struct result *result)
{
    double least = 0;
    for (size_t i = 0; i < result->sample_count; i++)
        if (result->sample[i].kernel_s > 0 && (least <= 0 || result->sample[i].kernel_s < least))
            least = result->sample[i].kernel_s;
    return least;
}

/* Where a run can be faster in a block than on fresh inputs without any fault: it begins with threads that wait, or
 * with a device that does, and finds its inputs in other caches. */
static double start_s(const struct cell *cell)
{
    const bool on_gpu = backend_kind(cell) == KIND_GPU;
    return (on_gpu ? 50e-6 : cell->threads > 1 ? 100e-6 : 20e-6) + (double)cell_bytes(cell) / (on_gpu ? 1e12 : 40e9);
}

/* A solver may take another number of sweeps on other inputs: the sweeps on the timed inputs, as a share of them. */
static double sweeps_share(const struct result *result, const struct outcome *fresh)
{
    const bool known = result->cell.entry->problem->sweeps && result->iterations > 0 && fresh->log.sweeps > 0;
    return known ? (double)result->iterations / (double)fresh->log.sweeps : 1;
}

/* The shortest times of runs on inputs that are new each time. What disturbs a run makes it longer, and so the shortest
 * ones tell what the variant does. */
struct fresh {
    double total_s;   /* from the moment at which the inputs lay there to the end of the run */
    double seen_s;    /* of that, the time before the run; a thread of the variant may have used it */
    double again_s;   /* of a run on inputs that the variant knew */
    int tries, quiet; /* how many runs there were, and for how many of them no thread waited long for a core */
};

/* Adds the times of an answer, and returns whether they are those of a variant that does its work: as short as the time
 * `run_s` that was measured, or the shortest ones as short as on known inputs. */
static bool adds_up(struct fresh *fresh, const struct member *member, const struct outcome *outcome, double run_s)
{
    enum { TRIES_LEAST = 3 };
    static const double DELAY_MOST = 0.25; /* of the run: threads that other programs keep waiting */
    const struct cell *cell = &member->result.cell;
    const bool on_cpu = backend_kind(cell) != KIND_GPU;
    const double share = sweeps_share(&member->result, outcome);
    /* Nothing on a device computes while inputs are copied there. */
    const double seen_s = on_cpu ? outcome->seen_s * share : 0, total_s = outcome->run_s * share + seen_s;
    fresh->total_s = fmin(fresh->total_s, total_s);
    fresh->seen_s = fmin(fresh->seen_s, seen_s);
    fresh->again_s = fmin(fresh->again_s, outcome->again_s);
    fresh->tries++;
    fresh->quiet += !(on_cpu && outcome->delay_s > DELAY_MOST * outcome->run_s);
    return total_s <= 2 * run_s + start_s(cell) ||
           ((!on_cpu || fresh->tries >= TRIES_LEAST) &&
            fresh->total_s <= 2 * fresh->again_s + start_s(cell) + fresh->seen_s);
}

/* Whether the samples can be the work. A variant that keeps a result needs far less time for the same inputs than for
 * others. Its first run on the timed inputs tells; but that run may have been slow for other reasons, so that further
 * runs on inputs that are new each time have to confirm it. The first run of a short cell tells nothing: where another
 * program takes the core before that run, a thread of the variant has time for it. What remains in doubt is refused when
 * the member is finished, unless a later round is clear. False: the member is finished. */
static bool works(struct run *run, struct member *member, double run_s)
{
    enum { QUIET_ENOUGH = 10, QUIET_LEAST = 3, TRIES_MOST = 40 };
    static const int64_t BYTES_MOST = INT64_C(1) << 30; /* the other inputs need as much memory again */
    static const double SHORT_S = 0.02;                 /* other programs take a core for about as long */
    const struct cell *cell = &member->result.cell;
    struct fresh fresh = {INFINITY, INFINITY, INFINITY, 0, 0};
    const bool is_new = !(member->cleared_s > 0) || member->known_s > 0 || run_s < CLEARED * member->cleared_s;
    const bool began_slowly = member->first_s > 2 * run_s + start_s(cell);
    const bool is_short = backend_kind(cell) != KIND_GPU && run_s < SHORT_S;
    if (timer_is_fake() || backend_of(cell)->team || cell->entry->meta->vendor || cell->entry->problem->probe ||
        cell_bytes(cell) > BYTES_MOST || !(run_s > 0) || !is_new || !(began_slowly || is_short))
        return true;
    while (fresh.quiet < QUIET_ENOUGH && fresh.tries < TRIES_MOST) {
        struct request request = {.verb = WORKER_FRESH};
        if (getrandom(&request.seed, sizeof request.seed, 0) != sizeof request.seed)
            return true;
        if (!run_ask(run, member, &request, member->first_s))
            return false;
        if (adds_up(&fresh, member, run->outcome, run_s)) {
            member->cleared_s = run_s;
            /* A variant may have kept results in the rounds before, and may do its work now. */
            if (run_s <= 2 * member->known_s + start_s(cell))
                member->known_s = 0;
            return true;
        }
    }
    if (fresh.quiet >= QUIET_LEAST) { /* else other programs disturb every run: the next round looks again */
        member->fresh_s = fresh.total_s - fresh.seen_s;
        member->known_s = fresh.again_s;
    }
    return true;
}

void run_cell_measure(struct run *run, struct member *member, int round, int launch)
{
    /* The interval of a cell is the range of its rounds. To know the rounds much better than this narrows nothing. */
    struct result *result = &member->result;
    struct request request = {.verb = WORKER_ROUND,
                              .seed = run->measure->seed,
                              .digest = member->digest,
                              .round = {.round = round,
                                        .launch = launch,
                                        .spread = SPREAD_SHARE * member->spread,
                                        .fastest_s = fastest_s(result),
                                        .varies = result->bitwise == 0}};
    progress_now(&result->cell, "measuring");
    const double share_s = run->measure->max_time_s / run->measure->rounds;
    for (int again = 0;; again++) {
        if (!run_ask(run, member, &request, share_s + 12 * member->run_s))
            return;
        if (!may_pass(run->outcome) || again == THROTTLED_AGAIN)
            break;
    }
    const struct outcome *outcome = run->outcome;
    if (outcome->shown)
        run->outcome->bitwise = !outcome->verified;
    outcome_put_measured(outcome, result);
    if (!add_samples(result, outcome))
        run->report->store_failed = true;
    member->rounds_done++;
    if (!works(run, member, median_s(outcome)))
        return;
    run_cell_settle(run, member);
    run_expect_member(run, member);
}
