/* One cell's result: the numbers that follow from its samples.
 * SPDX-License-Identifier: MIT */
#include "result.h"

#include "registry.h"
#include "base/memory.h"
#include "base/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct flag_meaning result_flags[RESULT_FLAGS] = {
#define FLAG(id, name, letter, kind, meaning) [BIT_##id] = {name, letter, FLAG_IS_##kind, meaning},
#include "flags.def"
};

unsigned result_flags_of(enum flag_kind kind)
{
    unsigned flags = 0;
    for (int bit = 0; bit < RESULT_FLAGS; bit++)
        flags |= result_flags[bit].kind == kind ? BIT(bit) : 0;
    return flags;
}

/* Which rows keep a value: see results.def. */
enum rows { ROWS_ALL, ROWS_TIMED, ROWS_SOLVED };

/* How a value of each kind says that it is not known. The identity, the axes and the hashes are not values of a
 * measurement: they are left alone. */
#define CLEAR_EXPERIMENT(name)
#define CLEAR_ID(name)
#define CLEAR_PROBLEM(name)
#define CLEAR_VARIANT(name)
#define CLEAR_BACKEND(name)
#define CLEAR_HASH(name)
#define CLEAR_TEXT(name) result->name[0] = '\0';
#define CLEAR_STATUS(name) result->name = STATUS_OK;
#define CLEAR_FLAGS(name) result->name = 0;
#define CLEAR_COUNT(name) result->name = 0;
#define CLEAR_TRISTATE(name) result->name = -1;
#define CLEAR_REAL(name) result->name = NAN;

/* Sets the values that `rows` keep to "not known". */
static void forget(struct result *result, enum rows rows)
{
#define RESULT(kind, name, size, keep, ...) \
    if (ROWS_##keep == rows) { \
        CLEAR_##kind(name) \
    }
#include "results.def"
}

static void forget_times(struct result *result)
{
    free(result->sample);
    result->sample = NULL;
    result->sample_count = 0;
    result->flags &= FLAG_SIMULATED;
    forget(result, ROWS_TIMED);
}

static void forget_solve(struct result *result)
{
    free(result->history);
    result->history = NULL;
    result->history_count = 0;
    forget(result, ROWS_SOLVED);
}

void result_clear(struct result *result)
{
    free(result->sample);
    free(result->history);
    memset(result, 0, sizeof *result);
    forget(result, ROWS_ALL);
    forget(result, ROWS_TIMED);
    forget(result, ROWS_SOLVED);
}

static int compare_launches(const void *a, const void *b)
{
    const struct sample *x = a, *y = b;
    return (x->launch > y->launch) - (x->launch < y->launch);
}

/* Counts the launches of the samples, and sorts the samples by launch. */
static int count_launches(struct sample *timed, size_t count)
{
    int launches = 0;
    qsort(timed, count, sizeof *timed, compare_launches);
    for (size_t i = 0; i < count; i++)
        launches += i == 0 || timed[i].launch != timed[i - 1].launch;
    return launches;
}

static int compare_rounds(const void *a, const void *b)
{
    const struct sample *x = a, *y = b;
    return (x->round > y->round) - (x->round < y->round);
}

struct sample result_no_sample(void)
{
#define NONE_OWNER(name)
#define NONE_INTEGER(name) .name = 0,
#define NONE_COUNT(name) .name = 0,
#define NONE_REAL(name) .name = NAN,
#define NONE_FLAGS(name) .name = 0,
#define SAMPLE(kind, name, ...) NONE_##kind(name)
    return (struct sample){
#include "results.def"
    };
}

/* The median of one column of the samples that time no kernel: the end-to-end series, and the continuous runs. */
static double median_beside(const struct result *result, size_t offset, double *values)
{
    size_t count = 0;
    for (size_t i = 0; i < result->sample_count; i++) {
        const double value = *(const double *)((const char *)&result->sample[i] + offset);
        if (isnan(result->sample[i].kernel_s) && !isnan(value))
            values[count++] = value;
    }
    return stats_median(values, count);
}

/* Writes the medians of the rounds to the front of `values`, and returns how many there are. `timed` must be in the
 * order of rounds. */
static size_t round_medians(const struct sample *timed, size_t count, double *values)
{
    size_t rounds = 0;
    for (size_t from = 0, to; from < count; from = to) {
        for (to = from; to < count && timed[to].round == timed[from].round; to++)
            values[to] = timed[to].kernel_s;
        values[rounds++] = stats_median(values + from, to - from);
    }
    return rounds;
}

static double rate(double work, double time_s)
{
    return work > 0 && time_s > 0 ? work / time_s / 1e9 : NAN;
}

static int compare_iterations(const void *a, const void *b)
{
    const struct sample *x = a, *y = b;
    return (x->iterations > y->iterations) - (x->iterations < y->iterations);
}

/* Sets a solver's iterations to their median. Its operations and its traffic are then those of as many sweeps. */
static void count_sweeps(struct result *result, struct sample *timed, size_t count)
{
    const struct problem *problem = result->cell.entry ? result->cell.entry->problem : NULL;
    if (count > 0) {
        qsort(timed, count, sizeof *timed, compare_iterations);
        result->iterations = timed[(count - 1) / 2].iterations;
    }
    if (!problem || !problem->sweeps || result->iterations == 0)
        return;
    result->flops = result->iterations * problem->flops(&result->cell);
    result->bytes = result->iterations * problem->bytes(&result->cell);
}

void result_summarise(struct result *result)
{
    if (result->status != STATUS_OK) {
        forget_times(result); /* a cell whose result is wrong has no time */
        if (!status_blames_method(result->status))
            forget_solve(result);
        count_sweeps(result, NULL, 0);
        return;
    }
    const size_t count = result->sample_count;
    struct sample *timed = memory_allocate(count + 1, sizeof *timed);
    double *values = memory_allocate(count + 1, sizeof *values);
    size_t timed_count = 0;
    result->repeats = 0;
    for (size_t i = 0; i < count; i++) {
        result->flags |= result->sample[i].flags;
        if (isnan(result->sample[i].kernel_s))
            continue;
        timed[timed_count++] = result->sample[i];
        result->repeats = result->sample[i].repeats;
    }
    result->upload_s = median_beside(result, offsetof(struct sample, upload_s), values);
    result->download_s = median_beside(result, offsetof(struct sample, download_s), values);
    result->total_s = median_beside(result, offsetof(struct sample, total_s), values);
    result->energy_j = median_beside(result, offsetof(struct sample, energy_j), values);
    result->power_w = median_beside(result, offsetof(struct sample, power_w), values);
    result->idle_w = median_beside(result, offsetof(struct sample, idle_w), values);

    for (size_t i = 0; i < timed_count; i++)
        values[i] = timed[i].kernel_s;
    result->min_s = stats_min(values, timed_count);
    result->samples = (int)timed_count;
    result->launches = count_launches(timed, timed_count);
    qsort(timed, timed_count, sizeof *timed, compare_rounds);
    const size_t rounds = round_medians(timed, timed_count, values);
    result->rounds = (int)rounds;
    result->median_s = stats_median(values, rounds);
    result->ci_lo_s = rounds >= 2 ? stats_min(values, rounds) : NAN;
    result->ci_hi_s = rounds >= 2 ? stats_max(values, rounds) : NAN;
    count_sweeps(result, timed, timed_count);
    result->gflops = rate(result->flops, result->median_s);
    result->gbs = rate(result->bytes, result->median_s);
    result->gflops_per_w = rate(result->flops, result->energy_j);
    free(timed);
    free(values);
}

void result_recount(struct result *result, const struct problem *problem)
{
    const double needed = cell_recount(problem, &result->cell, result->flops);
    if (needed < result->flops) {
        result->gflops *= needed / result->flops;
        result->gflops_per_w *= needed / result->flops;
        result->flops = needed;
    }
}

bool result_is_unsteady(const struct result *result)
{
    return result->status == STATUS_OK && result->median_s > RESULT_UNSTEADY_ABOVE * result->min_s;
}
