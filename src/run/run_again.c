/* Measuring cells again whose times are in doubt.
 * SPDX-License-Identifier: MIT
 *
 * A time is in doubt if it is far above its shortest sample, above the time of a larger size, or too short for a
 * measured ceiling. All points are measured first, as a larger size comes later. Then the cells in doubt are measured
 * again in new workers, whose threads lie elsewhere. A time that stays in doubt is flagged, or refused. A library that
 * loses by more threads is measured again as well. */
#include "run_parts.h"

#include "progress.h"
#include "base/comparison.h"

#include <stdlib.h>
#include <string.h>

/* Sizes of about the same work may have other times for good reasons, such as a padded leading dimension. */
static const double LARGER = 1.25;
/* A library may well take a little longer on more threads. */
static const double LOSES = 1.5;

static bool is_size(int axis)
{
    return axis == AXIS_m || axis == AXIS_n || axis == AXIS_k;
}

/* Whether two cells differ in their size alone, and `large` is the larger one. */
static bool is_larger(const struct cell *large, const struct cell *small)
{
    if (large->entry != small->entry)
        return false;
    for (int axis = 0; axis < AXES; axis++)
        if (is_size(axis) ? cell_value(large, axis) < cell_value(small, axis)
                          : cell_value(large, axis) != cell_value(small, axis))
            return false;
    return true;
}

bool run_again_contradicts(const struct result *small, const struct result *large)
{
    const double work = small->flops > 0 ? large->flops / small->flops : large->bytes / small->bytes;
    return small->status == STATUS_OK && large->status == STATUS_OK && is_larger(&large->cell, &small->cell) &&
           work >= LARGER && strcmp(small->machine_mark, large->machine_mark) == 0 &&
           comparison_of(large->median_s / small->median_s, large->ci_lo_s / small->ci_hi_s,
                         large->ci_hi_s / small->ci_lo_s) == COMPARISON_SLOWER;
}

bool run_again_loses(const struct result *more, const struct result *fewer)
{
    if (more->cell.entry != fewer->cell.entry || !more->cell.entry->meta->vendor || fewer->cell.threads < 1 ||
        more->cell.threads <= fewer->cell.threads)
        return false;
    for (int axis = 0; axis < AXES; axis++)
        if (axis != AXIS_threads && cell_value(&more->cell, axis) != cell_value(&fewer->cell, axis))
            return false;
    return more->status == STATUS_OK && fewer->status == STATUS_OK &&
           strcmp(more->machine_mark, fewer->machine_mark) == 0 && more->median_s > LOSES * fewer->median_s;
}

/* The time that an item has on this machine; NULL: it has none. */
static const struct result *time_of(const struct run *run, size_t item)
{
    const struct schedule *schedule = run->schedule;
    const struct result *result =
        schedule->item[item].asked == ITEM_ASKED ? store_find(run->store, schedule->item[item].id) : NULL;
    const bool is_time = result && result->status == STATUS_OK && !(result->flags & FLAG_PARTIAL) &&
                         strcmp(result->machine_mark, schedule->shared.mark) == 0;
    return is_time ? result : NULL;
}

/* A time of an earlier run with the flag was measured again then. */
static bool is_in_doubt(const struct run *run, size_t item)
{
    const struct schedule *schedule = run->schedule;
    const struct result *result = time_of(run, item);
    if (!result || (result->flags & FLAG_UNSTEADY && !run->timed[item]))
        return false;
    bool doubt = result_is_unsteady(result);
    for (size_t i = 0; i < schedule->count && !doubt; i++) {
        const bool may = i != item && is_larger(&schedule->item[i].cell, &schedule->item[item].cell);
        const struct result *other = may ? store_find(run->store, schedule->item[i].id) : NULL;
        doubt = other && run_again_contradicts(result, other);
    }
    return doubt;
}

/* Whether a library loses by threads in a time that was measured once. Threads that met on one CPU show the same. What
 * new workers confirm is a fact about the library, and no doubt. */
static bool is_to_confirm(const struct run *run, size_t item)
{
    const struct schedule *schedule = run->schedule;
    const struct result *result = run->timed[item] == 1 ? time_of(run, item) : NULL;
    bool loses = false;
    for (size_t i = 0; result && i < schedule->count && !loses; i++) {
        const bool may = schedule->item[i].cell.entry == result->cell.entry && result->cell.entry->meta->vendor;
        const struct result *other = may ? time_of(run, i) : NULL;
        loses = other && run_again_loses(result, other);
    }
    return loses;
}

size_t run_again_choose(struct run *run)
{
    const size_t items = run->schedule->count;
    size_t count = 0;
    for (size_t i = 0; i < items; i++)
        run->doubtful[i] = is_in_doubt(run, i) || is_to_confirm(run, i);
    for (size_t i = 0; i < items; i++)
        run->doubtful[i] |= run_ceilings_choose(run, i);
    for (size_t i = 0; i < items; i++)
        count += run->doubtful[i];
    return count;
}

bool run_again_gives_way(const struct result *doubtful, const struct result *fresh)
{
    /* The fastest round of a probe is a ceiling. A later one may meet a slower minute of the machine. */
    if (doubtful->cell.entry->problem->probe && !result_is_unsteady(doubtful) &&
        run_ceilings_rate(doubtful) >= run_ceilings_rate(fresh))
        return false;
    return fresh->status != STATUS_OK || doubtful->status != STATUS_OK ||
           (fresh->rounds >= doubtful->rounds && fresh->launches >= doubtful->launches);
}

/* Stores the shown result of an item once more, with the flag. */
static void flag(struct run *run, size_t item)
{
    const struct result *shown = time_of(run, item);
    struct result copy = {0};
    if (!shown || shown->flags & FLAG_UNSTEADY)
        return;
    result_clear(&copy);
    if (store_copy(run->store, shown->id, &copy)) {
        copy.flags |= FLAG_UNSTEADY;
        run_keep(run, &copy);
    }
    result_clear(&copy);
}

static void count_doubts(struct run_doubts *doubts, const struct result *result)
{
    const bool wide = result->ci_hi_s - result->ci_lo_s > 0.1 * result->median_s;
    const unsigned flags = result->flags & (FLAG_NOISY | FLAG_THROTTLED | FLAG_UNSTEADY);
    doubts->times++;
    doubts->noisy += (flags & FLAG_NOISY) != 0;
    doubts->throttled += (flags & FLAG_THROTTLED) != 0;
    doubts->unsteady += (flags & FLAG_UNSTEADY) != 0;
    doubts->wide += wide;
    doubts->any += flags || wide;
}

void run_again_end(struct run *run)
{
    const size_t count = run->schedule->count;
    for (size_t i = 0; i < count && !stopped(run); i++)
        if (!run_ceilings_refuse(run, i) && is_in_doubt(run, i))
            flag(run, i);
    for (size_t i = 0; i < count; i++) {
        const struct result *result = run->timed[i] ? time_of(run, i) : NULL;
        if (result)
            count_doubts(&run->report->doubts, result);
    }
}
