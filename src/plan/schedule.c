/* What an experiment still has to measure, in which order, and how long that will take.
 * SPDX-License-Identifier: MIT */
#include "schedule.h"

#include "cell.h"
#include "predict.h"
#include "probes.h"
#include "selection.h"
#include "backend/backend.h"
#include "base/memory.h"
#include "base/timer.h"
#include "machine/host.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double MEMORY_SHARE = 0.8;

const char *const schedule_reasons[REASON_NONE] = {
    [REASON_MISSING] = "missing",
    [REASON_CHANGED + BY_SOURCE] = "source changed",
    [REASON_CHANGED + BY_LIBRARY] = "library changed",
    [REASON_CHANGED + BY_MACHINE] = "machine changed",
    [REASON_CHANGED + BY_SETTINGS] = "settings changed",
    [REASON_CRITERION] = "less careful",
    [REASON_INTERRUPTED] = "interrupted",
    [REASON_AGAIN] = "asked for again",
    [REASON_FLAGGED] = "flagged",
    [REASON_ELSEWHERE] = "measured on another machine",
    [REASON_BESIDE] = "in the rounds of what it bounds",
};

size_t schedule_count(const struct schedule *schedule, enum reason reason)
{
    size_t count = 0;
    for (size_t i = 0; i < schedule->count; i++)
        count += item_pending(&schedule->item[i]) && schedule->item[i].reason == reason;
    return count;
}

double schedule_memory_bytes(void)
{
    return MEMORY_SHARE * (double)host_get()->memory_available_bytes;
}

/* Why the cell can never be measured on this machine, or NULL. */
static const char *unsuitable(const struct cell *cell)
{
    const struct entry *entry = cell->entry;
    const struct host *host = host_get();
    if (!(entry->meta->precisions & entry->problem->precisions & BIT(cell->precision)))
        return cell_reason("%s has no %s version", entry->name, cell_precision_names[cell->precision]);
    if (cell->isa > host->isa_best)
        return cell_reason("this processor cannot run code for isa %s (its best is %s)", cell_isa_names[cell->isa],
                           cell_isa_names[host->isa_best]);
    if (!cell_is_built(cell))
        return cell_reason("not built for isa %s on this architecture", cell_isa_names[cell->isa]);
    const char *reason = entry->meta->reject ? entry->meta->reject(cell) : NULL;
    if (!reason && !cell_has_inputs(cell, cell_inputs(cell)))
        reason = "the problem has no such inputs in this precision and size";
    if (reason)
        return reason;
    if (cell->threads > host->cores)
        return host->quota_cores > 0 && host->quota_cores < (double)cell->threads
                   ? cell_reason("%lld threads over a CPU quota of %.3g cores", (long long)cell->threads,
                                 host->quota_cores)
                   : cell_reason("%lld threads on %d usable cores", (long long)cell->threads, host->cores);
    return backend_of(cell)->missing(cell);
}

/* Why the operands of the cell do not fit into memory now, or NULL. *bytes: the size of the operands. */
static const char *too_large(const struct cell *cell, int64_t *bytes)
{
    const struct backend *backend = backend_of(cell);
    *bytes = backend_bytes(cell);
    /* The memory that a GPU reports does not include what its driver takes. */
    const int64_t device = backend->memory_bytes(cell);
    const double host_share = backend_host_bytes(cell) > 0 ? schedule_memory_bytes() : INFINITY;
    const double have = device > 0 ? fmin((double)device, host_share) : host_share;
    const char *what = device > 0 && have == (double)device ? "device memory" : "memory";
    if (*bytes == INT64_MAX)
        return cell_reason("operands of more bytes than 63 bits count; %.4g GB of %s can be used", 1e-9 * have, what);
    if ((double)*bytes > have)
        return cell_reason("operands of %.4g GB; %.4g GB of %s can be used", 1e-9 * (double)*bytes, 1e-9 * have, what);
    const double judged = (double)*bytes + (double)backend_judge_bytes(cell);
    if (judged > host_share)
        return cell_reason("operands of %.4g GB, with those of the judge; %.4g GB of memory can be used", 1e-9 * judged,
                           1e-9 * host_share);
    return NULL;
}

static bool same_point(const struct cell *a, const struct cell *b)
{
    return a->entry->problem == b->entry->problem && a->precision == b->precision && a->m == b->m && a->n == b->n &&
           a->k == b->k;
}

bool schedule_bounds(const struct cell *probe, const struct cell *cell)
{
    const bool on_cpu = registry_kind(probe->entry) == KIND_CPU;
    if (probe->precision != probes_precision(cell) || registry_kind(cell->entry) != registry_kind(probe->entry))
        return false;
    return on_cpu ? probe->threads == (cell->threads ? cell->threads : 1) &&
                        (!probe->m || !cell->isa || probe->isa == cell->isa)
                  : probe->entry->backend == cell->entry->backend && probe->device_id == cell->device_id;
}

/* The item with the most operations among those that a probe bounds and that suit this machine; else among all that it
 * bounds, or that have its precision. The probe runs in the rounds of that item, between the cells of its point. */
static size_t host_of(const struct schedule *schedule, const struct cell *probe, size_t grid_items)
{
    enum { IS_BOUNDED = 2, IS_SUITED = 1 };
    size_t best = 0;
    int highest = -1;
    double most = 0;
    for (size_t i = 0; i < grid_items; i++) {
        const struct item *item = &schedule->item[i];
        const int rank =
            (schedule_bounds(probe, &item->cell) ? IS_BOUNDED : 0) + (item_is_skipped(item) ? 0 : IS_SUITED);
        const double flops = cell_flops(&item->cell);
        if (probes_precision(&item->cell) != probe->precision || rank < highest || (rank == highest && flops <= most))
            continue;
        best = i;
        highest = rank;
        most = flops;
    }
    return best;
}

/* Has a probe measured again where a cell that it bounds, of the items from `first` to `end`, is to be measured: a peak
 * of other rounds may lie below the rate of that cell. The probe then comes along even if nobody asks for it. */
static void join_rounds(const struct schedule *schedule, struct item *probe, size_t first, size_t end)
{
    const bool may_join =
        probe->state == ITEM_FINISHED || (probe->asked == ITEM_DESELECTED && probe->reason == REASON_AGAIN);
    for (size_t i = first; i < end && may_join; i++)
        if (item_pending(&schedule->item[i]) && schedule_bounds(&probe->cell, &schedule->item[i].cell)) {
            probe->state = ITEM_PENDING;
            probe->asked = ITEM_ASKED;
            probe->reason = REASON_BESIDE;
            return;
        }
}

/* Groups the items into points, in grid order. A probe joins the point of the largest product that it bounds, so that
 * both are measured in the same rounds. */
static void make_points(struct schedule *schedule, size_t grid_items)
{
    size_t *const host = memory_allocate(schedule->count, sizeof *host);
    schedule->order = memory_allocate(schedule->count, sizeof *schedule->order);
    schedule->point = memory_allocate(schedule->count, sizeof *schedule->point);
    for (size_t p = grid_items; p < schedule->count; p++)
        host[p] = host_of(schedule, &schedule->item[p].cell, grid_items);
    size_t placed = 0;
    for (size_t i = 0; i < grid_items;) {
        struct point *point = &schedule->point[schedule->points++];
        const size_t first = i;
        point->first = placed;
        for (; i < grid_items && same_point(&schedule->item[i].cell, &schedule->item[first].cell); i++)
            schedule->order[placed++] = i;
        for (size_t p = grid_items; p < schedule->count; p++)
            if (host[p] >= first && host[p] < i) {
                schedule->order[placed++] = p;
                join_rounds(schedule, &schedule->item[p], first, i);
            }
        point->count = placed - point->first;
    }
    free(host);
}

/* Why a cell has to be measured, or REASON_NONE. */
static enum reason reason_of(const struct schedule *schedule, const struct store *store, const struct item *item,
                             enum again again)
{
    struct store_summary known;
    const struct criterion *asked = &schedule->shared.criterion;
    if (!store || !store_lookup(store, item->id, &known) || known.status == STATUS_SKIPPED)
        return store && store_has_foreign(store, item->id) ? REASON_CHANGED + BY_MACHINE : REASON_MISSING;
    if (!(known.flags & FLAG_SIMULATED) == asked->simulated)
        return REASON_MISSING;
    if (again == AGAIN_ALL || (again == AGAIN_FAILED && known.status != STATUS_OK))
        return REASON_AGAIN;
    const int changed = provenance_change(&schedule->shared, &item->cell, known.provenance);
    if (changed < BY_SETTINGS)
        return REASON_CHANGED + changed;
    if (known.flags & FLAG_PARTIAL)
        return REASON_INTERRUPTED;
    enum status status;
    if (changed == PROVENANCES || store_suffices(store, item->id, schedule->shared.settings, asked, &status))
        return REASON_NONE;
    return known.has_criterion ? REASON_CRITERION : REASON_CHANGED + BY_SETTINGS;
}

void schedule_judge(const struct schedule *schedule, const struct store *store, enum again again, struct item *item)
{
    item->reason = reason_of(schedule, store, item, again);
    item->state = item->reason == REASON_NONE ? ITEM_FINISHED : ITEM_PENDING;
}

/* Tells the store what a result of the cell would depend on if it were measured now. */
static void expect(const struct schedule *schedule, struct store *store, const struct cell *cell, const char *id)
{
    char now[PROVENANCES][HASH_SHORT_SIZE];
    if (!store)
        return;
    provenance_now(&schedule->shared, cell, now);
    store_expect(store, id, now);
}

/* Tells the store the settings of all profiles, for rows of older programs. All of them had the same seed. */
static void explain_settings(const struct study *study, struct store *store)
{
    for (enum profile profile = PROFILE_FULL; store && profile < PROFILES; profile++)
        for (int simulated = 0; simulated <= 1; simulated++) {
            struct criterion criterion;
            char hash[HASH_SHORT_SIZE];
            provenance_settings(study->profile[profile], simulated, &criterion, hash);
            criterion.seed = 1;
            store_learn_criterion(store, hash, &criterion);
        }
}

/* Decides whether an item is skipped, known or to be measured, and why. */
static void judge(struct schedule *schedule, struct store *store, enum again again, struct item *item)
{
    int64_t bytes = 0;
    expect(schedule, store, &item->cell, item->id);
    const char *skip = unsuitable(&item->cell);
    item->state = skip ? ITEM_UNSUITED : ITEM_TOO_LARGE;
    skip = skip ? skip : too_large(&item->cell, &bytes);
    if (skip) {
        item->reason = REASON_NONE;
        item->skip = memory_copy(skip);
        return;
    }
    if (item->asked == ITEM_ASKED && !backend_has_memory(backend_of(&item->cell)) && bytes > schedule->most_bytes)
        schedule->most_bytes = bytes;
    schedule_judge(schedule, store, again, item);
}

/* Whether the command line asks for other cells than the experiment file. */
static bool is_chosen(const struct experiment *experiment)
{
    return experiment->settings + experiment->onlys > 0 || experiment->within;
}

/* Notes which cells of the schedule nobody asks for. `asked` is the grid as the command line has set it. The probes of
 * that grid are asked for too, but patterns must match them. */
static void deselect(struct schedule *schedule, const struct grid *asked)
{
    const struct experiment *experiment = schedule->experiment;
    for (size_t i = 0; i < schedule->count; i++) {
        struct item *item = &schedule->item[i];
        bool has = i < schedule->grid_items &&
                   bsearch(&item->cell, asked->cell, asked->count, sizeof *asked->cell, cell_compare) != NULL;
        for (size_t k = 0; i >= schedule->grid_items && !has && k < asked->count; k++)
            has = schedule_bounds(&item->cell, &asked->cell[k]);
        if (!has || !selection_asks(experiment, &item->cell))
            item->asked = ITEM_DESELECTED;
    }
}

/* Makes the items of a grid. `asked` counts only where the command line chooses. */
static void make_items(struct schedule *schedule, const struct grid *grid, const struct grid *asked,
                       struct store *store, enum again again)
{
    schedule->item = memory_allocate(grid->count, sizeof *schedule->item);
    schedule->count = grid->count;
    for (size_t i = 0; i < grid->count; i++) {
        schedule->item[i].cell = grid->cell[i];
        cell_id(&grid->cell[i], schedule->item[i].id);
    }
    if (is_chosen(schedule->experiment))
        deselect(schedule, asked);
    for (size_t i = 0; i < schedule->count; i++)
        judge(schedule, store, again, &schedule->item[i]);
    predict_link(schedule->item, schedule->count);
    make_points(schedule, schedule->grid_items);
}

struct schedule *schedule_make(struct study *study, struct store *store, enum again again, FILE *diagnostics)
{
    const struct experiment *experiment = study->asked;
    const struct grid *asked = study_grid(study, experiment, diagnostics);
    if (asked->count == 0)
        return NULL;
    struct schedule *schedule = memory_allocate(1, sizeof *schedule);
    struct grid grid = {NULL, 0};
    grid_merge(&grid, asked);
    /* The cells that the file has without settings foretell times, and the probes accompany the same cells as ever. */
    if (experiment->settings > 0)
        grid_merge(&grid, study_grid(study, study->profile[experiment->profile], NULL));
    schedule->study = study;
    schedule->experiment = experiment;
    schedule->grid_items = grid.count;
    /* A simulated clock measures no ceilings, so no probes are needed. */
    if (!timer_is_fake())
        probes_append(&grid);
    provenance_share(experiment, store ? store_folder(store) : NULL, &schedule->shared);
    explain_settings(study, store);
    make_items(schedule, &grid, asked, store, again);
    grid_free(&grid);
    return schedule;
}

/* Lists the memory probes of a former size for as long as no probe of today's size is measured. The shares of results
 * that were measured beside them are shares of these probes. */
static void list_former_probes(struct grid *listed, const struct store *store)
{
    struct grid formers = {memory_allocate(listed->count, sizeof *formers.cell), 0};
    for (size_t i = 0; store && i < listed->count; i++) {
        struct cell former;
        struct store_summary summary;
        char id[CELL_ID_SIZE];
        if (!probes_former(host_get(), &listed->cell[i], &former))
            continue;
        cell_id(&listed->cell[i], id);
        const bool measured = store_lookup(store, id, &summary) && summary.status == STATUS_OK;
        cell_id(&former, id);
        if (!measured && store_lookup(store, id, &summary))
            formers.cell[formers.count++] = former;
    }
    grid_merge(listed, &formers);
    grid_free(&formers);
}

void schedule_list(struct schedule *schedule, struct store *store)
{
    struct grid *listed = &schedule->listed;
    for (enum profile profile = PROFILE_FULL; profile < PROFILES; profile++)
        grid_merge(listed, study_grid(schedule->study, schedule->study->profile[profile], NULL));
    if (!timer_is_fake()) {
        probes_append(listed);
        list_former_probes(listed, store);
    }
    schedule->listed_id = memory_allocate(listed->count, sizeof *schedule->listed_id);
    for (size_t i = 0; i < listed->count; i++) {
        cell_id(&listed->cell[i], schedule->listed_id[i]);
        expect(schedule, store, &listed->cell[i], schedule->listed_id[i]);
    }
}

/* Whether the finished results of a point that are asked for may be of several runs: each run draws a seed of its own,
 * and a seed that the user gave tells no run. Also true where a cell of the point is to be measured. */
static bool is_split(const struct schedule *schedule, const struct store *store, const struct point *point)
{
    bool split = false, any = false;
    uint64_t seed = 0;
    for (size_t i = point->first; i < point->first + point->count; i++) {
        const struct item *item = &schedule->item[schedule->order[i]];
        struct store_summary known;
        split |= item_pending(item);
        if (item->asked != ITEM_ASKED || item->state != ITEM_FINISHED || !store_lookup(store, item->id, &known))
            continue;
        split |= known.criterion.seed_given || (any && known.criterion.seed != seed);
        seed = known.criterion.seed;
        any = true;
    }
    return split;
}

void schedule_join(struct schedule *schedule, const struct store *store)
{
    for (size_t p = 0; p < schedule->points; p++) {
        const struct point *point = &schedule->point[p];
        const bool split = is_split(schedule, store, point);
        for (size_t i = point->first; split && i < point->first + point->count; i++) {
            struct item *item = &schedule->item[schedule->order[i]];
            if (item->asked == ITEM_ASKED && item->state == ITEM_FINISHED) {
                item->state = ITEM_PENDING;
                item->reason = REASON_AGAIN;
            }
        }
    }
}

void schedule_free(struct schedule *schedule)
{
    if (!schedule)
        return;
    for (size_t i = 0; i < schedule->count; i++)
        free(schedule->item[i].skip);
    free(schedule->item);
    free(schedule->order);
    free(schedule->point);
    grid_free(&schedule->listed);
    free(schedule->listed_id);
    free(schedule);
}
