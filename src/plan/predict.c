/* How long a run of a cell, and the whole measurement of the cell, will take.
 * SPDX-License-Identifier: MIT */
#include "predict.h"

#include "cell.h"
#include "backend/backend.h"
#include "backend/backend_worker.h"
#include "base/memory.h"
#include "machine/host.h"
#include "machine/nvml.h"
#include "verify/against.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A run that is this many times smaller than another is mostly overhead: it tells only how long the other takes at
 * most. */
static const double FAR = 1000;
/* The rates assumed of a variant without results, where the variant names no typical rate. */
static const double TYPICAL_GFLOPS = 1.0, TYPICAL_GBS = 5.0, TYPICAL_COPY_GBS = 8.0;
/* What a measurement takes beside its runs. The recorded runs of a machine with 16 cores and a GPU tell these times:
 * their run records say how long inputs, verification, warm-ups and samples took. Core nanoseconds are shared by all
 * cores: of an element that is generated, of an element that is verified, and of an operation of a verification. */
static const double START_S = 0.05, START_DEVICE_S = 0.5, DIGEST_GBS = 20;
static const double GENERATE_CORE_NS = 4, VERIFY_CORE_NS = 12, VERIFY_FLOP_CORE_NS = 1.5;
/* The share of a round's time above the least that a cell takes on average until its median has converged. */
static const double UNCONVERGED = 0.1;
/* A run feels cold caches if loading its operands at this rate takes more than this share of the run. */
static const double COLD_GBS = 5, COLD_SHARE = 0.01;

static double work(const struct cell *cell)
{
    const double flops = cell_executed_flops(cell);
    return flops > 0 ? flops : cell_traffic(cell);
}

/* Whether two cells are equal in all axes of a role. */
static bool equal_in(enum axis_role role, const struct cell *a, const struct cell *b)
{
    for (int axis = 0; axis < AXES; axis++)
        if (cell_axes[axis].role == role && cell_value(a, axis) != cell_value(b, axis))
            return false;
    return true;
}

static bool are_relatives(const struct cell *a, const struct cell *b)
{
    return a->entry == b->entry && a->precision == b->precision && equal_in(ROLE_BUILD, a, b) &&
           equal_in(ROLE_PLACE, a, b) && equal_in(ROLE_CONDITION, a, b);
}

void predict_link(struct item *items, size_t count)
{
    /* The latest item of each family of relatives. */
    size_t *latest = NULL, families = 0;
    for (size_t i = 0; i < count; i++) {
        size_t family = 0;
        while (family < families && !are_relatives(&items[latest[family]].cell, &items[i].cell))
            family++;
        if (family < families) {
            items[i].predictor = latest[family] + 1;
        } else {
            latest = memory_grow(latest, ++families, sizeof *latest);
        }
        latest[family] = i;
    }
    free(latest);
}

/* How well the relative `other` foretells `cell`; 0: not at all. The same tuning comes before another tuning, and a
 * near size before a far size. */
static double closeness(const struct cell *other, const struct cell *cell)
{
    /* Cells of one shape are measured together. Their results come too late, or only to a run that was resumed. */
    const bool together = other->m == cell->m && other->n == cell->n && other->k == cell->k;
    if (together || !(work(other) < work(cell)))
        return 0;
    return (equal_in(ROLE_TUNING, other, cell) ? 2.0 : 1.0) + 0.5 * work(other) / work(cell);
}

/* What a run takes at the typical rate of its variant. */
static double typical_run_s(const struct cell *cell)
{
    const struct variant *meta = cell->entry->meta;
    const double gflops = meta->typical_gflops > 0 ? meta->typical_gflops : TYPICAL_GFLOPS;
    const double threads = cell->threads ? (double)cell->threads : 1;
    const double flops = cell_executed_flops(cell);
    return flops > 0 ? 1e-9 * flops / (gflops * threads) : 1e-9 * cell_traffic(cell) / TYPICAL_GBS;
}

double predict_run_s(const struct item *items, const struct store *store, const struct item *item)
{
    enum { PREDICTORS_ASKED = 64 };
    const struct cell *cell = &item->cell;
    const struct result *own = store ? store_find(store, item->id) : NULL;
    if (own && own->status == STATUS_OK && own->median_s > 0)
        return own->median_s;
    const struct result *nearest = NULL;
    double best = 0;
    size_t at = item->predictor;
    for (int asked = 0; store && at && asked < PREDICTORS_ASKED; asked++) {
        const struct item *other = &items[at - 1];
        const double close = closeness(&other->cell, cell);
        const struct result *result = close > best ? store_find(store, other->id) : NULL;
        if (result && result->status == STATUS_OK && result->median_s > 0) {
            best = close;
            nearest = result;
        }
        at = other->predictor;
    }
    if (!nearest)
        return typical_run_s(cell);
    const double ratio = work(cell) / work(&nearest->cell);
    return ratio > FAR ? fmin(ratio * nearest->median_s, typical_run_s(cell)) : ratio * nearest->median_s;
}

int predict_rounds(const struct measure *measure, double run_s)
{
    const double fit = run_s > COMPARISON_LONG_S ? 0 : floor(measure->max_time_s / fmax(run_s, 1e-9));
    const int needed = comparison_rounds(run_s), least = measure->rounds < needed ? measure->rounds : needed;
    return fit >= measure->rounds ? measure->rounds : fit < least ? least : (int)fit;
}

bool predict_may_converge(const struct cell *cell)
{
    return backend_kind(cell) == KIND_GPU;
}

int predict_needed_rounds(const struct cell *cell, int rounds)
{
    /* Two rounds tell that the interval is narrow. */
    const int converged = PREDICT_CONVERGED_ROUNDS + 1;
    return predict_may_converge(cell) && converged < rounds ? converged : rounds;
}

bool predict_feels_cold(const struct cell *cell, double run_s)
{
    const double load_s = 1e-9 * (double)cell_bytes(cell) / COLD_GBS;
    return run_s <= PREDICT_SINGLE_ABOVE_S && load_s > COLD_SHARE * run_s;
}

static bool add_setup(struct backend_setup *setups, int *count, const struct backend_setup *setup)
{
    for (int i = 0; i < *count; i++)
        if (backend_same_setup(&setups[i], setup))
            return false;
    if (*count < PREDICT_WORKERS)
        setups[(*count)++] = *setup;
    return true;
}

void predict_next_point(struct predict_workers *workers)
{
    for (int i = 0; i < workers->count; i++)
        add_setup(workers->seen, &workers->seen_count, &workers->setup[i]);
    workers->count = 0;
}

enum predict_start predict_starts_worker(struct predict_workers *workers, const struct cell *cell)
{
    const struct backend_setup setup = backend_setup(cell);
    if (!add_setup(workers->setup, &workers->count, &setup))
        return PREDICT_GOES_ON;
    for (int i = 0; i < workers->seen_count; i++)
        if (backend_same_setup(&workers->seen[i], &setup))
            return PREDICT_STARTS_AGAIN;
    return PREDICT_STARTS;
}

double predict_reference_s(const struct cell *cell)
{
    struct cell reference;
    if (!against_cell(cell, &reference))
        return 0;
    /* It is plainly compiled, and may stay below its typical rate. */
    return fmax(typical_run_s(&reference), 1e-9 * cell_executed_flops(&reference) / TYPICAL_GFLOPS);
}

/* What is known of a cell's operands. */
struct sizes {
    double bytes;           /* of all operands */
    double inputs, outputs; /* elements that are generated, and elements that a run writes */
    double outputs_bytes;
};

static struct sizes sizes_of(const struct cell *cell)
{
    const struct problem *problem = cell->entry->problem;
    const double element_bytes = (double)cell_precision_size(cell->precision);
    struct sizes sizes = {.bytes = (double)cell_bytes(cell)};
    for (int i = 0; i < problem->operand_count; i++) {
        const double bytes = (double)cell_operand_bytes(cell, i);
        sizes.inputs += problem->operand[i].role == OUTPUT ? 0 : bytes / element_bytes;
        sizes.outputs_bytes += problem->operand[i].role == INPUT ? 0 : bytes;
    }
    sizes.outputs = sizes.outputs_bytes / element_bytes;
    return sizes;
}

/* Seconds of generating the inputs and of the reference of the verification. A solver's reference solves the system. */
static double inputs_s(const struct cell *cell, const struct sizes *sizes)
{
    const double solve = cell->entry->problem->sweeps ? cell_flops(cell) : 0;
    return 1e-9 * (GENERATE_CORE_NS * sizes->inputs + VERIFY_FLOP_CORE_NS * solve) / host_get()->cores;
}

static double verify_s(const struct cell *cell, const struct sizes *sizes)
{
    const struct problem *problem = cell->entry->problem;
    const double flops = problem->verify_flops ? problem->verify_flops(cell) : 0;
    return 1e-9 * (VERIFY_CORE_NS * sizes->outputs + VERIFY_FLOP_CORE_NS * flops) / host_get()->cores;
}

/* Seconds of one round as measure_round spends them. */
static double round_s(const struct measure *measure, const struct cell *cell, const struct sizes *sizes, double run_s,
                      double copies_s)
{
    const double share_s = measure->max_time_s / measure->rounds;
    const double untimed_s = predict_feels_cold(cell, run_s) ? run_s : 0;
    const double least_s =
        fmax(fmin(measure->min_time_s, share_s), fmin(measure->min_samples * run_s, fmax(share_s, run_s)));
    const double samples_s = least_s + UNCONVERGED * fmax(0, share_s - least_s);
    /* Where operands are copied, a round times runs with their copies too: one at least, then up to its share of
     * time. */
    const double end_s = run_s + copies_s;
    const double end_to_end_s = copies_s > 0 ? fmax(end_s, fmin(share_s, 3 * end_s)) : 0;
    return untimed_s + samples_s + end_to_end_s + 1e-9 * sizes->outputs_bytes / DIGEST_GBS + copies_s;
}

/* The times of raising the clock of a device once in each of its workers, or of cores once in all their workers. */
static double raise_s(const struct measure *measure, const struct cell *cell, enum predict_start start,
                      const struct cost *cost)
{
    const struct backend *backend = backend_of(cell);
    const int times = backend_has_memory(backend) ? cost->starts : start == PREDICT_STARTS;
    return times * fmin(backend->warm_s, measure->max_time_s);
}

/* Whether a counter may tell the energy of the cell's device. Of GPUs only NVIDIA's library has one; a backend with
 * devices of several kinds has a counter for its GPUs alone, whose names tell their maker. */
static bool has_meter(const struct backend *backend, const struct cell *cell)
{
    static int has_nvml = -1;
    char version[81];
    if (!backend->worker->energy || backend_kind(cell) == KIND_CPU)
        return backend->worker->energy && !backend->kind;
    if (has_nvml < 0)
        has_nvml = nvml_driver(version, sizeof version);
    return has_nvml && (!backend->kind || strstr(backend->device(cell), "NVIDIA"));
}

struct cost predict_cost(const struct measure *measure, const struct cell *cell, double run_s, enum predict_start start)
{
    const struct backend *backend = backend_of(cell);
    const struct sizes sizes = sizes_of(cell);
    const double copies_s = backend_has_memory(backend) ? 1e-9 * sizes.bytes / TYPICAL_COPY_GBS : 0;
    const double generate_s = start != PREDICT_GOES_ON ? inputs_s(cell, &sizes) : 0;
    const double check_s = generate_s + run_s + 2 * copies_s;
    struct cost cost = {.launches = 1, .check_s = check_s, .verify_s = verify_s(cell, &sizes)};
    cost.verify_s += start != PREDICT_GOES_ON ? predict_reference_s(cell) : 0;
    cost.start_s = start == PREDICT_GOES_ON ? 0 : predict_may_converge(cell) ? START_DEVICE_S : START_S;
    cost.starts = start == PREDICT_STARTS;
    if (run_s > measure->once_above_s)
        return cost;
    const int rounds = predict_rounds(measure, run_s);
    cost.rounds = predict_needed_rounds(cell, rounds);
    cost.launches = measure->launches;
    cost.starts = start == PREDICT_GOES_ON ? 0 : cost.launches - (start == PREDICT_STARTS_AGAIN);
    cost.exact_s = cell_has_exact(cell) && cell_inputs(cell) != INPUTS_EXACT ? check_s + cost.verify_s : 0;
    /* measure_warm and round_warm do the same: blocks of runs are tried until one is as long as a sample has to be. */
    const double block_s = measure->min_time_s / measure->min_samples;
    cost.warm_s = run_s < block_s ? block_s : run_s > PREDICT_WARM_MOST_S ? 0 : 0.5 * run_s;
    cost.raise_s = raise_s(measure, cell, start, &cost);
    cost.round_s = round_s(measure, cell, &sizes, run_s, copies_s);
    if (measure->energy && has_meter(backend, cell)) {
        const double continuous_s = fmax(PREDICT_LEAD_S, run_s) + fmax(PREDICT_CONTINUOUS_S, run_s);
        const double idle_s = fmin(1, (cost.round_s + continuous_s) / PREDICT_IDLE_EVERY_S) * PREDICT_IDLE_S;
        cost.round_s += continuous_s + idle_s;
        cost.start_s += start == PREDICT_GOES_ON ? 0 : PREDICT_IDLE_S;
        cost.energy_s = cost.rounds * (continuous_s + idle_s) + cost.starts * PREDICT_IDLE_S;
    }
    return cost;
}

double predict_total_s(const struct cost *cost)
{
    return cost->exact_s + cost->verify_s + cost->starts * cost->start_s + cost->raise_s +
           cost->launches * (cost->check_s + cost->warm_s) + cost->rounds * cost->round_s;
}
