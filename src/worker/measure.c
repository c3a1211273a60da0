/* Checking and timing cells in this process, on one backend.
 * SPDX-License-Identifier: MIT */
#include "measure.h"

#include "cell.h"
#include "round.h"
#include "base/timer.h"
#include "machine/host.h"
#include "machine/noise.h"
#include "machine/placement.h"
#include "machine/threads.h"
#include "plan/predict.h"

#include <errno.h>
#include <malloc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct backend_worker *backend;
static double warm_s; /* of the backend */
static bool raised;   /* the clock of the cores or of the device */

int measure_open(const struct backend_setup *setup, bool known, char *why, size_t size)
{
    backend = backend_get(setup->backend)->worker;
    warm_s = backend_get(setup->backend)->warm_s;
    /* Cores were busy until the worker before ended, but a device may have been idle since. */
    raised = known && !backend->allocate;
    if (setup->threads > 0 && host_bind(setup->threads) != 0) {
        snprintf(why, size, "cannot bind to %d cores: %s", setup->threads, strerror(errno));
        return BACKEND_TRANSIENT;
    }
    placement_begin(host_get()->core_cpu, setup->threads);
    const int failed = backend->open(setup, known, why, size);
    guarded_use_team(!backend->has_own_threads || !backend->has_own_threads());
    if (!failed && placement_bind_main() != 0) {
        snprintf(why, size, "cannot bind to CPU %d: %s", host_get()->core_cpu[0], strerror(errno));
        return BACKEND_TRANSIENT;
    }
    return failed;
}

/* Bytes that the process has by malloc. */
static size_t heap_bytes(void)
{
    const struct mallinfo2 heap = mallinfo2();
    return heap.uordblks + heap.hblkhd;
}

/* Makes the run that is to be verified. */
static bool run_first(struct prepared *at, struct outcome *outcome)
{
    const bool first = at->run_s == 0;
    struct repeats once;
    if (!prepared_restore(at, 1, &once, outcome))
        return false;
    const size_t heap = heap_bytes();
    threads_note();
    const struct noise noise = noise_begin((int)at->cell.threads);
    const double start = timer_now_s();
    struct backend_times times;
    double cpu_s;
    const bool ran = prepared_run_timed(at, &once, &times, &cpu_s, outcome);
    outcome->phase_s[PHASE_WARM] += timer_now_s() - start;
    if (!ran)
        return false;
    outcome->run_s = at->run_s;
    outcome->cpu_s = timer_is_fake() ? outcome->run_s : cpu_s;
    outcome->flags = prepared_doubts(&noise, &at->cell, outcome->run_s, outcome->cpu_s);
    outcome->threads_made = threads_made();
    outcome->kept = heap_bytes() > heap ? heap_bytes() - heap : 0;
    if (first)
        outcome->first_run_s = outcome->run_s;
    return true;
}

void measure_check(const struct cell *cell, enum inputs inputs, uint64_t seed, uint64_t known_digest,
                   struct outcome *outcome)
{
    *outcome = outcome_none();
    struct prepared *at = prepared_get(backend, cell, outcome);
    if (!at)
        return;
    at->glimpses.count = 0; /* of other inputs */
    if (!prepared_fill(at, inputs, seed, outcome) || !prepared_poison(at, outcome) || !run_first(at, outcome) ||
        !prepared_present(at, known_digest, outcome))
        return;
    at->digest = outcome->digest;
    at->varies = false;
    if (inputs == cell_inputs(cell) && !backend->team)
        glimpse_take(&at->glimpses, at->operands);
}

bool measure_map(const struct cell *cell, enum inputs inputs, struct wrong_map *map)
{
    struct outcome ignored = outcome_none();
    const struct prepared *at = prepared_get(backend, cell, &ignored);
    const struct problem *problem = cell->entry->problem;
    int i = 0;
    while (i < problem->operand_count && problem->operand[i].role == INPUT)
        i++;
    *map = (struct wrong_map){.wrong = NULL};
    if (!at || backend->team || i == problem->operand_count || (problem->element_bytes[i] && !problem->mark))
        return false;
    map->name = problem->operand[i].name;
    problem->operand[i].shape(cell, &map->rows, &map->cols);
    map->wrong = calloc((size_t)(map->rows * map->cols) + 1, 1);
    if (!map->wrong)
        return false;
    void *operand[MAX_OPERANDS];
    operands_pointers(at->operands, false, operand);
    if (problem->mark)
        problem->mark(cell, inputs, operand, map->wrong);
    else
        for (int64_t e = 0; e < map->rows * map->cols; e++)
            map->wrong[e] = !isfinite(operand_value(operand[i], cell->precision, e));
    return true;
}

/* The run on other inputs follows just behind runs on the cell's own, so that threads and device are awake. A variant
 * may rely on the addresses of its operands, so that the other inputs are copied to where its own were. Where they are
 * the same (`known`), only the other output is poisoned: for the variant, nothing has changed. */
static bool run_others(struct prepared *at, struct operands *others, bool known, const struct measure *measure,
                       struct outcome *outcome)
{
    struct repeats once;
    struct backend_times times;
    at->run_s = at->before_s = 0; /* of other inputs */
    if (!prepared_warm_up(at, 0, round_share_s(measure), outcome))
        return false;
    outcome->again_s = fmax(at->run_s, at->before_s);
    const double delay_s = noise_run_delay_of_all_s(), begin_s = timer_now_s();
    if (!operands_take(at->operands, others, outcome) || !operands_poison(known ? others : at->operands, outcome) ||
        !operands_restore(at->operands, 1, &once, outcome))
        return false;
    outcome->seen_s = timer_now_s() - begin_s;
    if (!prepared_run_block(at, &once, &times, outcome))
        return false;
    outcome->delay_s = noise_run_delay_of_all_s() - delay_s;
    return true;
}

void measure_fresh(const struct cell *cell, const struct measure *measure, uint64_t seed, struct outcome *outcome)
{
    *outcome = outcome_none();
    struct prepared *at = prepared_get(backend, cell, outcome);
    struct operands *const others = at ? operands_open_others(backend, cell, outcome) : NULL;
    if (!others)
        return;
    const int glimpses = at->glimpses.count; /* of other inputs */
    at->glimpses.count = 0;
    if (prepared_fill(at, cell_inputs(cell), measure->seed, outcome) && prepared_poison(at, outcome) &&
        operands_fill(others, cell_inputs(cell), seed, outcome) &&
        run_others(at, others, seed == measure->seed, measure, outcome)) {
        outcome->run_s = at->run_s;
        prepared_present(at, 0, outcome);
    }
    at->glimpses.count = glimpses;
    operands_close_others();
}

void measure_inputs(const struct cell *cell, struct outcome *outcome)
{
    *outcome = outcome_none();
    struct prepared *at = prepared_get(backend, cell, outcome);
    if (at)
        operands_unspoiled(at->operands, outcome);
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
    struct prepared *at = prepared_get(backend, cell, outcome);
    struct repeats once;
    if (!at || !prepared_fill(at, cell_inputs(cell), seed, outcome) || !prepared_poison(at, outcome) ||
        !operands_restore(at->operands, 1, &once, outcome) || !mark(before, outcome) ||
        !prepared_run_block(at, &once, NULL, outcome) || !mark(after, outcome))
        return;
    prepared_present(at, 0, outcome);
}

/* How many seconds of runs still raise the clock of this worker's cores or GPU, which were idle before its start. */
static double raise_s(const struct prepared *at, const struct measure *measure)
{
    /* A cell with less time than this is a check and no measurement. */
    const double least_s = raised ? 0 : fmin(warm_s, measure->max_time_s) - at->before_s - at->run_s;
    raised = true;
    return fmax(0, least_s);
}

void measure_warm(const struct cell *cell, const struct measure *measure, double known_s, struct outcome *outcome)
{
    *outcome = outcome_none();
    struct prepared *at = prepared_get(backend, cell, outcome);
    if (!at || !prepared_fill(at, cell_inputs(cell), measure->seed, outcome))
        return;
    const double start = timer_now_s(), least_s = raise_s(at, measure);
    /* The checks were the first runs in this worker. */
    const bool is_warm =
        least_s <= 0 && (prepared_agree(at->run_s, at->before_s) || prepared_agree(at->run_s, known_s));
    if (!is_warm && at->run_s <= PREDICT_WARM_MOST_S)
        prepared_warm_up(at, least_s, fmax(least_s, fmin(PREDICT_WARM_MOST_S, round_share_s(measure))), outcome);
    outcome->run_s = at->run_s;
    outcome->phase_s[PHASE_WARM] += timer_now_s() - start;
}

void measure_round(const struct cell *cell, const struct measure *measure, const struct round_request *asked,
                   struct outcome *outcome)
{
    *outcome = outcome_none();
    struct prepared *at = prepared_get(backend, cell, outcome);
    if (!at || !prepared_fill(at, cell_inputs(cell), measure->seed, outcome))
        return;
    at->varies |= asked->varies;
    at->fresh = false;
    double start = timer_now_s();
    const bool is_warm = prepared_freshen(at, outcome) && round_warm(at, measure, outcome);
    outcome->phase_s[PHASE_WARM] += timer_now_s() - start;
    if (!is_warm)
        return;

    start = timer_now_s();
    const bool ok = round_sample(at, measure, asked, outcome);
    outcome->phase_s[PHASE_SAMPLE] += timer_now_s() - start;
    if (ok && prepared_present(at, at->digest, outcome) && !outcome->shown)
        outcome->bitwise = !outcome->verified;
}

void measure_reset(void)
{
    if (backend && backend->reset)
        backend->reset();
}

bool measure_poisoned(void)
{
    return backend && backend->poisoned && backend->poisoned();
}

void measure_close(void)
{
    prepared_close_all();
}
