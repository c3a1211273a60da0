/* Checking and timing cells in this process, on one backend.
 * SPDX-License-Identifier: MIT */
#include "measure.h"

#include "cell.h"
#include "operands.h"
#include "state.h"
#include "base/stats.h"
#include "base/timer.h"
#include "machine/host.h"
#include "machine/noise.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { END_TO_END_SAMPLES = 3, WARM_RUNS = 3 };
static const double WARM_MOST_S = 2.0, WARM_AGREE = 0.05, SINGLE_SAMPLE_ABOVE_S = 1.0;
static const double SAMPLE_LEAST_S = 100e-6;

/* A cell that has been prepared, until measure_close. */
struct prepared {
    struct cell cell;
    struct job job;
    struct operands *operands;
    uint64_t digest; /* of the output that was verified */
    double run_s;    /* time of the latest single run; 0: there was none yet */
};

static const struct backend *backend;
static struct prepared **prepared;
static size_t prepared_count;

/* The time that TILELAB_FAKE_TIMER gives a run: about 1 GFLOP/s. The cell, the round and the sample decide it, and vary
 * it by 1 %. */
static double fake_time_s(const struct cell *cell, int round, int index)
{
    char key[512];
    const size_t length = cell_key(cell, key, sizeof key);
    uint64_t hash = 0xcbf29ce484222325u ^ (uint64_t)(round * 1000 + index);
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)key[i]) * 0x100000001b3u;
    hash ^= hash >> 29;
    const double work = cell_flops(cell) + cell_traffic(cell);
    return work * 1e-9 * (1.0 + 1e-2 * (double)(hash % 1000) / 1000.0);
}

int measure_open(const struct backend_setup *setup, bool known, char *why, size_t size)
{
    backend = backend_get(setup->backend);
    if (setup->threads > 0 && host_bind(setup->threads) != 0) {
        snprintf(why, size, "cannot bind to %d cores: %s", setup->threads, strerror(errno));
        return BACKEND_ACCIDENT;
    }
    return backend->open(setup, known, why, size);
}

/* Ends a cell whose variant returned an error. The variant left the code in errno, as malloc leaves it. */
static void fail_job(const struct job *job, int code, struct outcome *outcome)
{
    outcome_fail(outcome, code == ENOMEM ? STATUS_MEMORY : STATUS_FAILED, "%.190s",
                 job->error[0] ? job->error : "the variant returned an error without saying which");
}

static struct prepared *prepare(const struct cell *cell, struct outcome *outcome)
{
    for (size_t i = 0; i < prepared_count; i++)
        if (cell_compare(&prepared[i]->cell, cell) == 0)
            return prepared[i];
    struct operands *operands = operands_open(backend, cell, outcome);
    if (!operands)
        return NULL;
    struct prepared *made = calloc(1, sizeof *made);
    struct prepared **more = realloc(prepared, (prepared_count + 1) * sizeof(struct prepared *));
    if (more)
        prepared = more;
    if (!made || !more) {
        free(made);
        outcome_fail(outcome, STATUS_MEMORY, "no memory to prepare");
        return NULL;
    }
    made->cell = *cell;
    made->operands = operands;
    made->job.cell = &made->cell;
    for (int i = 0; i < operands->problem->operand_count; i++)
        made->job.operand[i] = backend->allocate ? operands->device[i] : operands->host[i].data;
    const double start = timer_now_s();
    errno = 0;
    if (backend->prepare(&made->job) != 0) {
        fail_job(&made->job, errno, outcome);
        free(made);
        return NULL;
    }
    outcome->alloc_s = timer_is_fake() ? 0.0 : operands->alloc_s + timer_now_s() - start;
    prepared[prepared_count++] = made;
    return made;
}

/* Makes one block of runs. With `times` NULL, nothing is measured. False if the variant returns an error. */
static bool run_block(struct prepared *at, const struct repeats *repeats, struct backend_times *times,
                      struct outcome *outcome)
{
    at->job.error[0] = '\0';
    if (times)
        *times = (struct backend_times){.kernel_s = NAN, .clock_hz = NAN};
    errno = 0;
    if (backend->run(&at->job, repeats, times) == 0) {
        if (times)
            at->run_s = timer_is_fake() ? fake_time_s(&at->cell, -1, 0) : times->kernel_s / repeats->count;
        return true;
    }
    fail_job(&at->job, errno, outcome);
    return false;
}

/* Makes one block of runs on fresh operands. */
static bool run(struct prepared *at, int count, struct backend_times *times, struct outcome *outcome)
{
    struct repeats repeats;
    return operands_restore(at->operands, count, &repeats, outcome) && run_block(at, &repeats, times, outcome);
}

static bool verify(struct prepared *at, struct outcome *outcome)
{
    const double start = timer_now_s();
    struct verdict verdict = {.error = NAN, .bound = NAN, .norm2 = NAN};
    void *operand[MAX_OPERANDS];
    operands_pointers(at->operands, false, operand);
    state_restore_arithmetic();
    at->operands->problem->verify(&at->cell, (enum inputs)at->operands->inputs, at->operands->reference, operand,
                                  &verdict);
    outcome->error = verdict.error;
    outcome->bound = verdict.bound;
    outcome->norm2 = verdict.norm2;
    if (verdict.growth > 0)
        outcome->growth = verdict.growth;
    if (at->operands->problem->sweeps) {
        outcome->residual = verdict.residual;
        outcome->radius = verdict.radius;
        outcome->log = *operands_log(at->operands);
    }
    const bool good = verdict.ok && verdict.status == STATUS_OK;
    if (!good)
        outcome_fail(outcome, verdict.ok || verdict.status == STATUS_MEMORY ? verdict.status : STATUS_WRONG, "%s",
                     verdict.reason[0] ? verdict.reason : "the result is wrong");
    outcome->phase_s[PHASE_VERIFY] += timer_now_s() - start;
    return good;
}

/* The doubts about runs that were made since `begin`. A library may use fewer threads for a small size. Its threads
 * were checked when the library was opened. */
static unsigned doubts(const struct noise *begin, const struct cell *cell, double kernel_s, double cpu_s)
{
    if (timer_is_fake() || registry_kind(cell->entry) != KIND_CPU)
        return 0;
    const struct noise_verdict verdict = noise_end(begin, kernel_s, cpu_s);
    const bool idle = verdict.idle && cell->entry->library[0] == '\0';
    return (verdict.disturbed ? FLAG_NOISY : 0) | (idle ? FLAG_IDLE : 0);
}

void measure_check(const struct cell *cell, enum inputs inputs, uint64_t seed, struct outcome *outcome)
{
    *outcome = outcome_none();
    struct prepared *at = prepare(cell, outcome);
    if (!at || !operands_fill(at->operands, inputs, seed, outcome) || !operands_poison(at->operands, outcome))
        return;
    const bool first = at->run_s == 0;
    struct repeats once;
    if (!operands_restore(at->operands, 1, &once, outcome))
        return;
    const struct noise noise = noise_begin((int)cell->threads);
    const double start = timer_now_s(), cpu = timer_cpu_s();
    struct backend_times times;
    const bool ran = run_block(at, &once, &times, outcome);
    outcome->phase_s[PHASE_WARM] += timer_now_s() - start;
    if (!ran)
        return;
    outcome->run_s = at->run_s;
    outcome->cpu_s = timer_is_fake() ? outcome->run_s : timer_cpu_s() - cpu;
    outcome->flags = doubts(&noise, cell, outcome->run_s, outcome->cpu_s);
    if (first)
        outcome->first_run_s = outcome->run_s;
    if (!operands_download(at->operands, outcome) || !operands_intact(at->operands, outcome) || !verify(at, outcome))
        return;
    at->digest = operands_digest(at->operands);
}

static bool mark(int blocks, struct outcome *outcome)
{
    char why[190];
    if (backend->mark(blocks, why, sizeof why) == 0)
        return true;
    outcome_fail(outcome, STATUS_FAILED, "%s", why);
    return false;
}

void measure_marked(const struct cell *cell, uint64_t seed, int before, int after, struct outcome *outcome)
{
    *outcome = outcome_none();
    struct prepared *at = prepare(cell, outcome);
    struct repeats once;
    if (!at || !operands_fill(at->operands, INPUTS_RANDOM, seed, outcome) || !operands_poison(at->operands, outcome) ||
        !operands_restore(at->operands, 1, &once, outcome) || !mark(before, outcome) ||
        !run_block(at, &once, NULL, outcome) || !mark(after, outcome))
        return;
    if (operands_download(at->operands, outcome) && operands_intact(at->operands, outcome))
        verify(at, outcome);
}

void measure_warm(const struct cell *cell, const struct measure *measure, struct outcome *outcome)
{
    *outcome = outcome_none();
    struct prepared *at = prepare(cell, outcome);
    if (!at || !operands_fill(at->operands, INPUTS_RANDOM, measure->seed, outcome))
        return;
    outcome->run_s = at->run_s;
    /* A cell with less time than a warm-up takes is a check and no measurement. */
    const double least_s = fmin(backend->warm_s, measure->max_time_s);
    const double start = timer_now_s();
    double last_s = at->run_s; /* the first run was the check */
    for (int runs = 2; at->run_s <= WARM_MOST_S; runs++) {
        struct backend_times times;
        if (!run(at, 1, &times, outcome))
            break;
        outcome->run_s = at->run_s;
        const double spent = timer_now_s() - start;
        const bool agrees = fabs(times.kernel_s - last_s) <= WARM_AGREE * last_s;
        if (timer_is_fake() || spent > WARM_MOST_S || (runs >= WARM_RUNS && spent >= least_s && agrees))
            break;
        last_s = times.kernel_s;
    }
    outcome->phase_s[PHASE_WARM] += timer_now_s() - start;
}

/* One sample of a run from host memory to host memory: upload, run and download. */
static bool end_to_end(struct prepared *at, int round, int launch, int index, struct outcome *outcome)
{
    struct sample *to = &outcome->sample[outcome->samples];
    *to = (struct sample){
        .round = round, .launch = launch, .index = index, .repeats = 1, .kernel_s = NAN, .cpu_s = NAN, .clock_hz = NAN};
    const double start = timer_now_s();
    if (!operands_upload(at->operands, outcome))
        return false;
    const double uploaded = timer_now_s(), upload_s = backend->copy_s ? backend->copy_s() : uploaded - start;
    if (!run_block(at, &(struct repeats){.count = 1}, NULL, outcome))
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
    return repeats < 1 ? 1 : repeats > most ? most : (int)ceil(repeats);
}

/* How many runs make up one sample, so that a sample is long enough to time and samples are few enough to store. A run
 * of nanoseconds shows the clock more than the kernel, so blocks are tried until one is long enough. 0 if a run
 * fails. */
static int repeats_for(struct prepared *at, const struct measure *measure, struct outcome *outcome)
{
    enum { TRIES = 6 };
    const double wanted_s = fmax(SAMPLE_LEAST_S, measure->min_time_s / measure->min_samples);
    int repeats = clamp_repeats(at, wanted_s / fmax(at->run_s, 1e-9));
    for (int i = 0; i < TRIES && repeats > 1 && !timer_is_fake(); i++) {
        struct backend_times times;
        if (!run(at, repeats, &times, outcome))
            return 0;
        if (times.kernel_s > 0.8 * wanted_s || repeats == operands_repeats_most(at->operands))
            break;
        repeats = clamp_repeats(at, repeats * fmin(wanted_s / fmax(times.kernel_s, 1e-9), 100));
    }
    return repeats;
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

static bool one_sample(struct prepared *at, int repeats, struct sample *to, struct outcome *outcome)
{
    struct backend_times times;
    struct repeats block;
    if (!operands_restore(at->operands, timer_is_fake() ? 1 : repeats, &block, outcome))
        return false;
    const double cpu = timer_cpu_s();
    if (!run_block(at, &block, &times, outcome))
        return false;
    const double spent = timer_cpu_s() - cpu;
    if (!count_sweeps(at, to, outcome))
        return false;
    to->repeats = repeats;
    to->upload_s = to->download_s = to->total_s = NAN;
    if (timer_is_fake()) {
        to->kernel_s = to->cpu_s = fake_time_s(&at->cell, to->round, to->index);
        to->clock_hz = NAN;
        return true;
    }
    to->kernel_s = times.kernel_s / repeats;
    to->cpu_s = spent / repeats;
    to->clock_hz = times.clock_hz;
    to->flags = times.throttled ? FLAG_THROTTLED : 0;
    return true;
}

/* Whether the least number of samples of a round takes longer than the round's share of the time. */
static bool run_is_long(double run_s, const struct measure *measure)
{
    return run_s * measure->min_samples > measure->max_time_s / measure->rounds;
}

static bool sample_round(struct prepared *at, const struct measure *measure, int repeats, int round, int launch,
                         struct outcome *outcome)
{
    const double share_s = measure->max_time_s / measure->rounds;
    double value[ROUND_SAMPLES_MAX], spent_s = 0;
    outcome->converged = 0;
    for (int i = 0; i < ROUND_SAMPLES_MAX; i++) {
        struct sample *to = &outcome->sample[i];
        *to = (struct sample){.round = round, .launch = launch, .index = i};
        if (!one_sample(at, repeats, to, outcome))
            return false;
        outcome->samples = i + 1;
        value[i] = to->kernel_s;
        spent_s += to->kernel_s * repeats;
        if (i == 0 && value[0] > SINGLE_SAMPLE_ABOVE_S)
            return true;
        const bool enough = i + 1 >= measure->min_samples && spent_s >= measure->min_time_s;
        if (enough && stats_median_spread(value, (size_t)i + 1) <= measure->ci) {
            outcome->converged = 1;
            return true;
        }
        if (spent_s >= share_s && (enough || run_is_long(value[0], measure)))
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
    const unsigned flags = doubts(begin, cell, kernel_s, cpu_s);
    for (int i = 0; i < outcome->samples; i++)
        outcome->sample[i].flags |= flags;
}

void measure_round(const struct cell *cell, const struct measure *measure, int round, int launch,
                   struct outcome *outcome)
{
    *outcome = outcome_none();
    struct prepared *at = prepare(cell, outcome);
    if (!at || !operands_fill(at->operands, INPUTS_RANDOM, measure->seed, outcome) ||
        !operands_poison(at->operands, outcome))
        return;
    double start = timer_now_s();
    struct backend_times times;
    /* Before a long run came its check or its last sample. Another untimed run would only double the cost. */
    if (!(at->run_s > SINGLE_SAMPLE_ABOVE_S) && !run(at, 1, &times, outcome))
        return;
    const int repeats = repeats_for(at, measure, outcome);
    if (repeats == 0)
        return;
    outcome->phase_s[PHASE_WARM] += timer_now_s() - start;

    start = timer_now_s();
    const struct noise noise = noise_begin((int)cell->threads);
    bool ok = sample_round(at, measure, repeats, round, launch, outcome);
    flag_samples(&noise, cell, outcome);
    const int ends = outcome->samples;
    const double share_s = measure->max_time_s / measure->rounds, from_s = timer_now_s();
    for (int i = 0; ok && backend->upload && !timer_is_fake() && i < END_TO_END_SAMPLES; i++) {
        ok = end_to_end(at, round, launch, ends + i, outcome);
        if (timer_now_s() - from_s > share_s)
            break;
    }
    outcome->phase_s[PHASE_SAMPLE] += timer_now_s() - start;
    if (!ok || !operands_download(at->operands, outcome) || !operands_intact(at->operands, outcome))
        return;

    start = timer_now_s();
    outcome->bitwise = operands_digest(at->operands) == at->digest;
    outcome->phase_s[PHASE_VERIFY] += timer_now_s() - start;
    if (!outcome->bitwise)
        verify(at, outcome);
}

void measure_reset(void)
{
    if (backend->reset)
        backend->reset();
}

bool measure_poisoned(void)
{
    return backend->poisoned && backend->poisoned();
}

void measure_close(void)
{
    for (size_t i = 0; i < prepared_count; i++) {
        backend->finish(&prepared[i]->job);
        free(prepared[i]);
    }
    free(prepared);
    prepared = NULL;
    prepared_count = 0;
    operands_close_all();
}
