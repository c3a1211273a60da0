/* One round of a cell: its warm-up and its samples.
 * SPDX-License-Identifier: MIT */
#include "round.h"

#include "cell.h"
#include "continuous.h"
#include "state.h"
#include "base/stats.h"
#include "base/timer.h"
#include "plan/predict.h"

#include <math.h>

enum { END_TO_END_SAMPLES = 3 };
static const double SAMPLE_LEAST_S = 100e-6;

double round_share_s(const struct measure *measure)
{
    return measure->max_time_s / measure->rounds;
}

static struct sample sample_of(int round, int launch, int index)
{
    struct sample sample = result_no_sample();
    sample.round = round;
    sample.launch = launch;
    sample.index = index;
    return sample;
}

/* One sample of a run from host memory to host memory: upload, run and download. */
static bool end_to_end(struct prepared *at, int round, int launch, int index, struct outcome *outcome)
{
    const struct backend_worker *backend = at->operands->backend;
    struct sample *to = &outcome->sample[outcome->samples];
    *to = sample_of(round, launch, index);
    to->repeats = 1;
    if (!prepared_poison(at, outcome))
        return false;
    const double start = timer_now_s();
    if (!operands_upload(at->operands, outcome))
        return false;
    const double uploaded = timer_now_s(), upload_s = backend->copy_s ? backend->copy_s() : uploaded - start;
    if (!prepared_run_block(at, &(struct repeats){.count = 1}, NULL, outcome))
        return false;
    const double ran = timer_now_s();
    if (!operands_download(at->operands, outcome))
        return false;
    const double end = timer_now_s();
    to->upload_s = upload_s;
    to->download_s = backend->copy_s ? backend->copy_s() : end - ran;
    to->total_s = end - start;
    outcome->samples++;
    return true;
}

static int clamp_repeats(const struct prepared *at, double repeats)
{
    enum { MOST = 10000000 };
    const int most = operands_repeats_most(at->operands) < MOST ? operands_repeats_most(at->operands) : MOST;
    if (at->cell.cache == CACHE_COLD)
        return 1; /* the second run of a block would find the operands in the caches */
    return repeats < 1 ? 1 : repeats > most ? most : (int)ceil(repeats);
}

/* Finds how many runs make up one sample, so that a sample is long enough to time and samples are few enough to store.
 * A run of nanoseconds shows the clock more than the kernel, so blocks are tried until one is long enough. */
static bool find_repeats(struct prepared *at, const struct measure *measure, struct outcome *outcome)
{
    enum { TRIES = 6 };
    const double least_s = fmin(measure->min_time_s, round_share_s(measure));
    const double wanted_s = fmax(SAMPLE_LEAST_S, least_s / measure->min_samples);
    int repeats = clamp_repeats(at, wanted_s / fmax(at->run_s, 1e-9));
    for (int i = 0; i < TRIES && repeats > 1 && !timer_is_fake(); i++) {
        struct backend_times times;
        if (!prepared_run(at, repeats, &times, outcome))
            return false;
        if (times.kernel_s > 0.8 * wanted_s || repeats == operands_repeats_most(at->operands))
            break;
        repeats = clamp_repeats(at, repeats * fmin(wanted_s / fmax(times.kernel_s, 1e-9), 100));
    }
    at->repeats = repeats;
    return true;
}

bool round_warm(struct prepared *at, const struct measure *measure, struct outcome *outcome)
{
    return (!predict_feels_cold(&at->cell, at->run_s) ||
            prepared_warm_up(at, 0, fmin(PREDICT_WARM_MOST_S, round_share_s(measure)), outcome)) &&
           (at->repeats > 0 || find_repeats(at, measure, outcome));
}

/* Notes the sweeps of a solver's last run. A chaotic solver may take other numbers of sweeps in each run. */
static bool count_sweeps(const struct prepared *at, struct sample *to, struct outcome *outcome)
{
    if (!at->operands->problem->sweeps)
        return true;
    if (!operands_download_one(at->operands, at->operands->problem->operand_count - 1, outcome))
        return false;
    to->iterations = (int)operands_log(at->operands)->sweeps;
    return true;
}

/* *other: the output differs from the verified one. */
static bool one_sample(struct prepared *at, int repeats, struct sample *to, bool *other, struct outcome *outcome)
{
    struct backend_times times;
    struct repeats block;
    if (!prepared_freshen(at, outcome) || !prepared_restore(at, timer_is_fake() ? 1 : repeats, &block, outcome))
        return false;
    double cpu_s;
    if (!prepared_run_timed(at, &block, &times, &cpu_s, outcome))
        return false;
    if (state_left_process()) {
        outcome_fail(outcome, STATUS_FAILED, "a process that run() started goes on");
        return false;
    }
    if (!prepared_glimpse(at, other, outcome) || !count_sweeps(at, to, outcome))
        return false;
    to->repeats = repeats;
    if (timer_is_fake()) {
        to->kernel_s = to->cpu_s = prepared_fake_s(&at->cell, to->round, to->launch, to->index);
        return true;
    }
    to->kernel_s = times.kernel_s / repeats;
    to->cpu_s = cpu_s / repeats;
    to->clock_hz = times.clock_hz;
    to->temperature_c = times.temperature_c;
    to->flags =
        (times.throttled ? FLAG_THROTTLED : 0) | (times.capped ? FLAG_CAPPED : 0) | (times.disturbed ? FLAG_NOISY : 0);
    return true;
}

/* Whether the least number of samples of a round takes longer than the round's share of the time. */
static bool run_is_long(double run_s, const struct measure *measure)
{
    return run_s * measure->min_samples > round_share_s(measure);
}

/* Whether the samples of a round, or the first of them, are far above the shortest run that is known of the cell. They
 * may agree all the same: each was stopped by the scheduler. */
static bool is_far(const double *value, int samples, double fastest_s)
{
    const double least_s = fmin(stats_min(value, (size_t)samples), fastest_s);
    return stats_median(value, (size_t)samples) > RESULT_UNSTEADY_ABOVE * least_s;
}

static bool take_samples(struct prepared *at, const struct measure *measure, const struct round_request *asked,
                         struct outcome *outcome)
{
    const double share_s = round_share_s(measure);
    const double known_s = at->run_s > 0 ? at->run_s : INFINITY; /* of the warm-up */
    const double fastest_s = asked->fastest_s > 0 ? fmin(asked->fastest_s, known_s) : known_s;
    double value[ROUND_SAMPLES_MAX], spent_s = 0;
    outcome->converged = 0;
    for (int i = 0; i < ROUND_SAMPLES_MAX; i++) {
        struct sample *to = &outcome->sample[i];
        *to = sample_of(asked->round, asked->launch, i);
        if (!one_sample(at, at->repeats, to, &outcome->cut, outcome))
            return false;
        outcome->samples = i + 1;
        value[i] = to->kernel_s;
        spent_s += to->kernel_s * at->repeats;
        if (outcome->cut || (i == 0 && value[0] > PREDICT_SINGLE_ABOVE_S))
            return true;
        const bool enough = i + 1 >= measure->min_samples && spent_s >= fmin(measure->min_time_s, share_s);
        const bool far = is_far(value, i + 1, fastest_s);
        const double reached = enough ? stats_median_spread(value, (size_t)i + 1) : INFINITY;
        outcome->converged = reached <= measure->ci && !far;
        if (enough && reached <= fmax(measure->ci, asked->spread))
            return true;
        if (spent_s >= share_s && (enough || (!far && run_is_long(value[0], measure))))
            return true;
    }
    return true;
}

static void flag_samples(const struct noise *begin, const struct cell *cell, struct outcome *outcome)
{
    double kernel_s = 0, cpu_s = 0;
    for (int i = 0; i < outcome->samples; i++) {
        kernel_s += outcome->sample[i].kernel_s * outcome->sample[i].repeats;
        cpu_s += outcome->sample[i].cpu_s * outcome->sample[i].repeats;
    }
    const unsigned flags = prepared_doubts(begin, cell, kernel_s, cpu_s);
    for (int i = 0; i < outcome->samples; i++)
        outcome->sample[i].flags |= flags;
}

bool round_sample(struct prepared *at, const struct measure *measure, const struct round_request *asked,
                  struct outcome *outcome)
{
    const struct noise noise = noise_begin((int)at->cell.threads);
    bool ok = take_samples(at, measure, asked, outcome);
    flag_samples(&noise, &at->cell, outcome);
    const int first = outcome->samples;
    const double share_s = round_share_s(measure), from_s = timer_now_s();
    /* An upload leaves operands in the device's cache, so a cell with cold caches has no such samples. */
    const bool copies =
        at->operands->backend->upload && !timer_is_fake() && at->cell.cache != CACHE_COLD && !outcome->cut;
    ok = ok && (!copies || operands_pin(at->operands, at->cell.host_memory == HOST_MEMORY_PINNED, outcome));
    for (int i = 0; ok && copies && i < END_TO_END_SAMPLES; i++) {
        ok = end_to_end(at, asked->round, asked->launch, first + i, outcome);
        if (timer_now_s() - from_s > share_s)
            break;
    }
    if (!ok || !measure->energy || outcome->cut)
        return ok;
    struct sample *const to = &outcome->sample[outcome->samples];
    *to = sample_of(asked->round, asked->launch, outcome->samples);
    return continuous_run(at, asked->hot_w, to, outcome);
}
