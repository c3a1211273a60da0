/* Measuring one cell: what becomes of the answers of its worker.
 * SPDX-License-Identifier: MIT */
#include "run_parts.h"

#include "cell.h"
#include "progress.h"
#include "backend/backend_worker.h"
#include "base/stats.h"
#include "base/timer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUND_AGAIN = 2 };
static const double SPREAD_SHARE = 0.5;

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

/* Counts a cell that lacks the energy that was asked for. */
static void note_energy(struct run *run, struct result *result)
{
    struct run_lack *lack = run->report->no_energy;
    if (!isnan(result->energy_j) || result->status != STATUS_OK)
        result->no_energy[0] = '\0'; /* a round has told it, or there is no time either */
    if (!result->no_energy[0])
        return;
    while (lack < run->report->no_energy + RUN_LACKS - 1 && lack->cells > 0 &&
           strcmp(lack->why, result->no_energy) != 0)
        lack++;
    if (lack->cells++ == 0)
        snprintf(lack->why, sizeof lack->why, "%s", result->no_energy);
}

void run_cell_finish(struct run *run, struct cell_run *cell_run)
{
    struct result *result = &cell_run->result;
    result_summarise(result);
    refuse_impossible(result);
    note_energy(run, result);
    cell_run->finished = true;
    run->report->measured += run->again == 0;
    run->remeasured += run->again > 0;
    const size_t item = (size_t)(cell_run->item - run->schedule->item);
    run->timed[item]++;
    run_ceilings_note(run, item, result);
    run_expect_cell(run, cell_run);
    const struct result *doubtful = run->again > 0 ? store_find(run->store, result->id) : NULL;
    if (!doubtful || run_again_gives_way(doubtful, result))
        run_keep(run, result);
    progress_done(result);
}

void run_cell_leave(struct run *run, struct cell_run *cell_run, const char *reason)
{
    run_keep_partial(run, cell_run);
    run_keep_skip(run, cell_run->item, reason);
    cell_run->finished = true;
    run_expect_cell(run, cell_run);
    /* The cell's result has been stored as partial if it has samples. */
    cell_run->result.status = STATUS_SKIPPED;
    snprintf(cell_run->result.reason, sizeof cell_run->result.reason, "%s", reason);
    progress_done(&cell_run->result);
}

/* Leaves the cell to the next run, because the machine has failed again and again. */
static void give_up(struct run *run, struct cell_run *cell_run)
{
    char reason[sizeof cell_run->result.reason];
    snprintf(reason, sizeof reason, "transient error of the machine: %.160s", run->outcome->reason);
    run_cell_leave(run, cell_run, reason);
}

void run_cell_fail(struct run *run, struct cell_run *cell_run)
{
    const struct outcome *outcome = run->outcome;
    struct result *result = &cell_run->result;
    result->status = outcome->status;
    snprintf(result->reason, sizeof result->reason, "%s", outcome->reason);
    const bool judged = outcome->status == STATUS_WRONG || status_blames_method(outcome->status);
    if (judged && !outcome_put_verdict(outcome, result))
        run->report->store_failed = true;
    run_cell_finish(run, cell_run);
}

/* Asks about the cell, and finishes it if that failed. */
static enum asked ask(struct run *run, struct cell_run *cell_run, struct cell_request *question)
{
    const enum asked asked = run_ask(run, cell_run, question);
    if (asked == ASKED_FAILED)
        run_cell_fail(run, cell_run);
    if (asked == ASKED_TRANSIENT)
        give_up(run, cell_run);
    return asked;
}

bool run_cell_check(struct run *run, struct cell_run *cell_run, enum inputs inputs)
{
    const bool is_timed = inputs == cell_inputs(&cell_run->result.cell);
    struct cell_request check = {.expected_s = cell_run->run_s,
                                 .request = {.command = WORKER_CHECK,
                                             .inputs = inputs,
                                             .seed = run->measure->seed,
                                             .digest = is_timed ? cell_run->digest : 0}};
    progress_now(&cell_run->result.cell, "checking");
    if (ask(run, cell_run, &check) != ASKED_ANSWERED)
        return false;
    const struct outcome *outcome = run->outcome;
    struct result *result = &cell_run->result;
    outcome_put_measured(outcome, result);
    cell_run->run_s = outcome->run_s;
    if (!is_timed) {
        cell_run->exact_done = true;
        run_expect_cell(run, cell_run);
        return true;
    }
    cell_run->checks++;
    cell_run->digest = outcome->digest;
    if (!(cell_run->first_s > 0))
        cell_run->first_s = outcome->run_s;
    if (outcome->verified && !outcome_put_verdict(outcome, result)) {
        run->report->store_failed = true;
        return false;
    }
    run_expect_cell(run, cell_run);
    return true;
}

bool run_cell_wants_exact(const struct cell_run *cell_run)
{
    const struct cell *cell = &cell_run->result.cell;
    return !cell_run->once && !cell_run->exact_done && cell_has_exact(cell) && cell_inputs(cell) != INPUTS_EXACT;
}

bool run_cell_warm(struct run *run, struct cell_run *cell_run)
{
    struct cell_request warm = {.expected_s = 4 * cell_run->run_s,
                                .request = {.command = WORKER_WARM, .known_s = cell_run->warm_s}};
    enum asked asked;
    progress_now(&cell_run->result.cell, "warming up");
    while ((asked = ask(run, cell_run, &warm)) == ASKED_TOO_SOON)
        if (!run_cell_check(run, cell_run, cell_inputs(&cell_run->result.cell)))
            return false;
    if (asked != ASKED_ANSWERED)
        return false;
    if (run->outcome->run_s > 0)
        cell_run->run_s = cell_run->warm_s = run->outcome->run_s;
    cell_run->warm_ups++;
    run_expect_cell(run, cell_run);
    return true;
}

/* Checks the cell and warms it up in a worker that does not know it. */
static bool prepare(struct run *run, struct cell_run *cell_run)
{
    return (!run_cell_wants_exact(cell_run) || run_cell_check(run, cell_run, INPUTS_EXACT)) &&
           run_cell_check(run, cell_run, cell_inputs(&cell_run->result.cell)) && run_cell_warm(run, cell_run);
}

bool run_cell_ask_for_runs(struct run *run, struct cell_run *cell_run, struct cell_request *question)
{
    enum asked asked;
    while ((asked = ask(run, cell_run, question)) == ASKED_TOO_SOON)
        if (!prepare(run, cell_run))
            return false;
    return asked == ASKED_ANSWERED;
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

/* Notes how far the rounds so far lie apart, and whether they are enough of a GPU cell. */
static void note_convergence(struct run *run, struct cell_run *cell_run)
{
    /* The copy shares samples and history with the cell. The summary of an ok result frees neither. */
    struct result copy = cell_run->result;
    if (copy.status != STATUS_OK || cell_run->rounds_done < 2)
        return;
    result_summarise(&copy);
    cell_run->spread = (copy.ci_hi_s - copy.ci_lo_s) / 2 / copy.median_s;
    cell_run->converged = predict_may_converge(&copy.cell) && cell_run->spread <= run->measure->ci;
}

void run_cell_resume(struct run *run, struct cell_run *cell_run)
{
    struct result saved = {0}, *result = &cell_run->result;
    result_clear(&saved);
    if (item_starts_over(cell_run->item) || run->again > 0 ||
        !store_resume(run->store, result->id, result->provenance[BY_SETTINGS], &saved) ||
        strcmp(saved.machine_mark, result->machine_mark) != 0) {
        result_clear(&saved);
        return;
    }
    saved.machine_number = result->machine_number;
    saved.flags = result->flags; /* the summary adds the flags of the samples again */
    memcpy(saved.profile, result->profile, sizeof saved.profile);
    saved.flops = result->flops;
    saved.bytes = result->bytes;
    *result = saved;
    /* The earlier run checked the cell on exact inputs before it measured a round. */
    cell_run->exact_done = true;
    cell_run->saved_samples = result->sample_count;
    for (size_t i = 0; i < result->sample_count; i++)
        cell_run->rounds_done += i == 0 || result->sample[i].round != result->sample[i - 1].round;
    note_convergence(run, cell_run);
    cell_run->checks = cell_run->warm_ups = launch_of(run, cell_run->rounds_done);
}

void run_cell_finish_once(struct run *run, struct cell_run *cell_run)
{
    struct outcome *outcome = run->outcome;
    run->report->phase_s[PHASE_WARM] -= outcome->phase_s[PHASE_WARM];
    run->report->phase_s[PHASE_SAMPLE] += outcome->phase_s[PHASE_WARM];
    outcome->samples = 1;
    struct sample *sample = &outcome->sample[0];
    *sample = result_no_sample();
    sample->repeats = 1;
    sample->iterations = cell_run->result.iterations;
    sample->kernel_s = outcome->run_s;
    sample->cpu_s = outcome->cpu_s;
    sample->flags = FLAG_ONCE | outcome->flags;
    if (run->measure->energy)
        snprintf(cell_run->result.no_energy, sizeof cell_run->result.no_energy,
                 "a cell that is run once has no continuous run");
    if (add_samples(&cell_run->result, outcome))
        run_cell_finish(run, cell_run);
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

/* Asks for a round, again while it was throttled in part, or its cores had not their usual rate throughout. */
static bool ask_for_round(struct run *run, struct cell_run *cell_run, struct cell_request *question)
{
    const struct cell *cell = &cell_run->result.cell;
    for (int again = 0;; again++) {
        const bool usual = run_cores_await(run, cell);
        const double start_s = timer_now_s();
        if (!run_cell_ask_for_runs(run, cell_run, question))
            return false;
        const double round_s = timer_now_s() - start_s;
        const bool kept = run_cores_kept(run, cell) && usual;
        if (again < ROUND_AGAIN && !kept && run_cores_may_wait(run))
            run->cores_s += round_s;
        else if (again == ROUND_AGAIN || !may_pass(run->outcome)) {
            for (int i = 0; i < run->outcome->samples && !kept; i++)
                run->outcome->sample[i].flags |= FLAG_NOISY;
            return true;
        }
    }
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

/* A device is as warm as it was for so long after a run: the time that a round of another worker takes to begin. */
static const double STAYS_HOT_S = 5;

static const struct energy_meter *meter_of(const struct cell *cell)
{
    return backend_of(cell)->worker->energy;
}

/* The power of a run that ended just now on the device of a cell; 0: none did. */
static double hot_w(const struct run *run, const struct cell *cell)
{
    const struct cell *hot = &run->hot.cell;
    const bool is_hot = run->hot.power_w > 0 && timer_now_s() - run->hot.at_s < STAYS_HOT_S;
    return is_hot && meter_of(cell) == meter_of(hot) && cell->device_id == hot->device_id && cell->gpus == hot->gpus
               ? run->hot.power_w
               : 0;
}

/* Notes the power that the samples of an answer tell. */
static void note_hot(struct run *run, const struct cell *cell)
{
    const struct outcome *outcome = run->outcome;
    const double power_w = outcome->samples > 0 ? outcome->sample[outcome->samples - 1].power_w : NAN;
    if (isnan(power_w))
        return;
    run->hot.power_w = fmax(power_w, hot_w(run, cell));
    run->hot.cell = *cell;
    run->hot.at_s = timer_now_s();
}

bool run_cell_measure(struct run *run, struct cell_run *cell_run, int round, int launch)
{
    /* The interval of a cell is the range of its rounds. To know the rounds much better than this narrows nothing. */
    struct result *result = &cell_run->result;
    const double share_s = run->measure->max_time_s / run->measure->rounds;
    struct cell_request runs = {.expected_s = share_s + 12 * cell_run->run_s,
                                .request = {.command = WORKER_ROUND,
                                            .seed = run->measure->seed,
                                            .digest = cell_run->digest,
                                            .round = {.round = round,
                                                      .launch = launch,
                                                      .spread = SPREAD_SHARE * cell_run->spread,
                                                      .fastest_s = fastest_s(result),
                                                      .hot_w = hot_w(run, &result->cell),
                                                      .varies = result->bitwise == 0}}};
    progress_now(&result->cell, "measuring");
    if (!ask_for_round(run, cell_run, &runs))
        return false;
    const struct outcome *outcome = run->outcome;
    note_hot(run, &result->cell);
    if (outcome->shown)
        run->outcome->bitwise = !outcome->verified;
    outcome_put_measured(outcome, result);
    snprintf(result->no_energy, sizeof result->no_energy, "%s", outcome->no_energy);
    if (!add_samples(result, outcome))
        run->report->store_failed = true;
    cell_run->rounds_done++;
    return true;
}

void run_cell_believe(struct run *run, struct cell_run *cell_run)
{
    note_convergence(run, cell_run);
    run_expect_cell(run, cell_run);
}
