/* Refusing times that lie above a measured ceiling.
 * SPDX-License-Identifier: MIT
 *
 * A ceiling of a cell is the highest rate that its probes have reached in this run: of multiply-adds, and for a cell
 * with cold caches also of memory. The probes may have met a slow minute of the machine. So a time above its ceiling is
 * measured again, and its probes with it. Only a time that stays above all of this is no time of the work. Where other
 * programs disturbed a probe, or its rounds are few or lie apart, no ceiling is known, and no time is refused. */
#include "run_parts.h"

#include "plan/probes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A ceiling is a measured rate itself, so that a right time may lie a little above it. */
static const double MOST = 1.05;

enum ceiling { OF_MULTIPLY_ADDS, OF_MEMORY };

/* The work of one run of a probe, in operations or bytes. */
static double work_of(const struct result *probe)
{
    return strcmp(probe->cell.entry->problem->name, "fma") == 0 ? probe->flops : probe->bytes;
}

double run_ceilings_rate(const struct result *probe)
{
    const double least_s = isnan(probe->ci_lo_s) ? probe->median_s : probe->ci_lo_s;
    return probe->status == STATUS_OK && least_s > 0 ? work_of(probe) / least_s : 0;
}

/* Whether the rounds of a probe are a ceiling. Few rounds, or rounds that lie apart, may all have been disturbed, and
 * the flags tell only of some disturbances. */
static bool is_ceiling(const struct result *probe)
{
    enum { ROUNDS_LEAST = 5, LAUNCHES_LEAST = 3 };
    static const double SPREAD_MOST = 0.1;
    return probe->status == STATUS_OK && probe->rounds >= ROUNDS_LEAST && probe->launches >= LAUNCHES_LEAST &&
           probe->ci_hi_s - probe->ci_lo_s <= SPREAD_MOST * probe->median_s && !(probe->flags & FLAG_NOISY);
}

void run_ceilings_note(struct run *run, size_t item, const struct result *result)
{
    if (!result->cell.entry->problem->probe || !is_ceiling(result))
        return;
    for (size_t i = 0; i < result->sample_count; i++) {
        const struct sample *sample = &result->sample[i];
        if (sample->kernel_s > 0)
            run->reached[item] = fmax(run->reached[item], work_of(result) / sample->kernel_s);
    }
}

/* Whether a cell is a probe of a kind, and bounds another cell. */
static bool bounds(const struct cell *probe, const struct cell *cell, enum ceiling ceiling)
{
    const char *problem = probe->entry->problem->name;
    return (ceiling == OF_MULTIPLY_ADDS ? strcmp(problem, "fma") == 0
                                        : strcmp(problem, "copy") == 0 || strcmp(problem, "read") == 0) &&
           schedule_bounds(probe, cell);
}

/* The highest rate of the probes of a kind that bound a cell; 0: not known. It is known once each of the probes was
 * measured well. A kernel that may use tensor cores has no ceiling before these were measured. */
static double ceiling_of(const struct run *run, const struct cell *cell, enum ceiling ceiling)
{
    double most = 0, most_tensor = 0;
    for (size_t i = 0; i < run->schedule->count; i++) {
        const struct item *probe = &run->schedule->item[i];
        if (item_is_skipped(probe) || !bounds(&probe->cell, cell, ceiling))
            continue;
        if (!(run->reached[i] > 0))
            return 0;
        most = fmax(most, run->reached[i]);
        most_tensor = fmax(most_tensor, probes_uses_tensor_cores(&probe->cell) ? run->reached[i] : 0);
    }
    return ceiling == OF_MEMORY || !probes_uses_tensor_cores(cell) || most_tensor > 0 ? most : 0;
}

/* Bytes of the inputs, which a run with cold caches reads from memory. What it writes may stay in a cache. */
static double input_bytes(const struct cell *cell)
{
    const struct problem *problem = cell->entry->problem;
    double bytes = 0;
    for (int i = 0; i < problem->operand_count; i++)
        bytes += problem->operand[i].role == OUTPUT ? 0 : (double)cell_operand_bytes(cell, i);
    return bytes;
}

/* What a time reaches and what its ceiling allows, in operations or bytes a second. */
struct excess {
    double rate, most;
    const char *unit;
};

/* Whether the time that this run has measured for an item lies above a ceiling. The times of libraries are believed. */
static bool find(const struct run *run, size_t item, struct excess *excess)
{
    const struct result *result = run->timed[item] ? store_find(run->store, run->schedule->item[item].id) : NULL;
    if (!result || result->status != STATUS_OK || result->cell.entry->problem->probe ||
        result->cell.entry->meta->vendor || !(result->median_s > 0))
        return false;
    *excess =
        (struct excess){result->flops / result->median_s, ceiling_of(run, &result->cell, OF_MULTIPLY_ADDS), "GFLOP/s"};
    if (excess->most > 0 && excess->rate > MOST * excess->most)
        return true;
    if (result->cell.cache != CACHE_COLD)
        return false;
    *excess = (struct excess){input_bytes(&result->cell) / result->median_s, ceiling_of(run, &result->cell, OF_MEMORY),
                              "GB/s"};
    return excess->most > 0 && excess->rate > MOST * excess->most;
}

bool run_ceilings_choose(struct run *run, size_t item)
{
    struct excess excess;
    if (!find(run, item, &excess))
        return false;
    for (size_t i = 0; i < run->schedule->count; i++) {
        const struct item *probe = &run->schedule->item[i];
        const struct cell *cell = &run->schedule->item[item].cell;
        if (!item_is_skipped(probe) &&
            (bounds(&probe->cell, cell, OF_MULTIPLY_ADDS) || bounds(&probe->cell, cell, OF_MEMORY)))
            run->doubtful[i] = true;
    }
    return true;
}

bool run_ceilings_refuse(struct run *run, size_t item)
{
    struct excess excess;
    struct result copy = {0};
    /* A budget may have left no time to measure the cell again. */
    if (run->timed[item] < 2 || !find(run, item, &excess))
        return false;
    result_clear(&copy);
    const bool is_known = store_copy(run->store, run->schedule->item[item].id, &copy);
    if (is_known) {
        copy.status = STATUS_IMPOSSIBLE;
        snprintf(copy.reason, sizeof copy.reason,
                 "%.4g %s, but the probes of this machine reached %.4g at most, also when measured again beside it",
                 1e-9 * excess.rate, excess.unit, 1e-9 * excess.most);
        result_summarise(&copy);
        run_keep(run, &copy);
    }
    result_clear(&copy);
    return is_known;
}
