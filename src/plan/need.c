/* What a record still needs, and which cells are measured together for it.
 * SPDX-License-Identifier: MIT */
#include "need.h"

#include "predict.h"
#include "backend/backend.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const need_names[NEEDS] = {
    [NEED_NOTHING] = "",        [NEED_HEADLINE] = "headline", [NEED_STALE] = "stale",
    [NEED_MISSING] = "missing", [NEED_FLAGGED] = "flagged",
};

static bool is_probe(const struct schedule *schedule, const struct item *item)
{
    return (size_t)(item - schedule->item) >= schedule->grid_items;
}

/* The item number i of a point. */
static struct item *item_of(const struct schedule *schedule, const struct point *point, size_t i)
{
    return &schedule->item[schedule->order[point->first + i]];
}

/* The result that the store shows of an item. NULL where there is none, or no store. */
static const struct result *shown_result(const struct store *store, const struct item *item)
{
    return store ? store_find(store, item->id) : NULL;
}

/* The time of one run: of the result that the store shows, whatever its age, else as predicted. */
static double run_s(const struct schedule *schedule, const struct store *store, const struct item *item)
{
    const struct result *result = shown_result(store, item);
    return result && result->status == STATUS_OK && result->median_s > 0 ? result->median_s
                                                                         : predict_run_s(schedule->item, store, item);
}

static bool too_long(const struct schedule *schedule, const struct store *store, const struct item *item)
{
    return predict_run_s(schedule->item, store, item) > schedule->experiment->measure.skip_above_s;
}

/* ---- Needs ---- */

bool need_is_shown(const struct schedule *schedule)
{
    return schedule->experiment->figures + schedule->experiment->tables > 0;
}

/* Whether no cell of the same variant and precision that suits this machine has a larger n. */
static bool is_largest(const struct schedule *schedule, const struct item *item)
{
    for (size_t i = 0; i < schedule->grid_items; i++) {
        const struct item *other = &schedule->item[i];
        if (other->cell.entry == item->cell.entry && other->cell.precision == item->cell.precision &&
            other->cell.n > item->cell.n && !item_is_skipped(other))
            return false;
    }
    return true;
}

void need_headlines_add(struct need_headlines *headlines, const char *experiment, const char *variant, bool everywhere)
{
    headlines->headline = memory_grow(headlines->headline, headlines->count + 1, sizeof *headlines->headline);
    headlines->headline[headlines->count++] = (struct need_headline){
        .experiment = experiment ? memory_copy(experiment) : NULL,
        .variant = memory_copy(variant),
        .everywhere = everywhere,
    };
}

void need_headlines_free(struct need_headlines *headlines)
{
    for (size_t i = 0; i < headlines->count; i++) {
        free(headlines->headline[i].experiment);
        free(headlines->headline[i].variant);
    }
    free(headlines->headline);
    *headlines = (struct need_headlines){NULL, 0};
}

static bool is_headline(const struct schedule *schedule, const struct need_headlines *headlines,
                        const struct item *item)
{
    const struct entry *entry = item->cell.entry;
    const bool largest = is_largest(schedule, item);
    bool is_used = largest && entry->meta->vendor;
    for (size_t i = 0; i < headlines->count && !is_used; i++) {
        const struct need_headline *headline = &headlines->headline[i];
        is_used = (largest || headline->everywhere) &&
                  (!headline->experiment || strcmp(headline->experiment, schedule->experiment->name) == 0) &&
                  (strcmp(headline->variant, entry->name) == 0 || strcmp(headline->variant, entry->idea) == 0);
    }
    return is_used;
}

static enum need need_of(const struct schedule *schedule, const struct store *store,
                         const struct need_headlines *headlines, const struct item *item)
{
    const struct result *result = shown_result(store, item);
    if (item->state == ITEM_FINISHED)
        return result && result->status == STATUS_OK && result->flags & result_flags_of(FLAG_IS_DOUBT) ? NEED_FLAGGED
                                                                                                       : NEED_NOTHING;
    if (need_is_shown(schedule) && !is_probe(schedule, item) && is_headline(schedule, headlines, item))
        return NEED_HEADLINE;
    return !result || result->status == STATUS_SKIPPED ? NEED_MISSING : NEED_STALE;
}

static void judge_item(const struct schedule *schedule, const struct store *store,
                       const struct need_headlines *headlines, struct item *item)
{
    if (item->asked == ITEM_DEFERRED)
        item->asked = ITEM_ASKED;
    if (item_is_skipped(item) || item->asked == ITEM_DESELECTED)
        return;
    schedule_judge(schedule, store, AGAIN_NOTHING, item);
    if (item->need != NEED_TRIED)
        item->need = need_of(schedule, store, headlines, item);
}

/* The fastest own cell of a group of largest n is a headline's. */
static void judge_fastest(struct schedule *schedule, const struct store *store, const struct point *point,
                          enum registry_kind kind)
{
    struct item *fastest = NULL;
    double least_s = INFINITY;
    for (size_t i = 0; i < point->count; i++) {
        struct item *item = item_of(schedule, point, i);
        const struct result *result = shown_result(store, item);
        if (item_is_skipped(item) || is_probe(schedule, item) || item->cell.entry->meta->vendor ||
            backend_kind(&item->cell) != kind || !result || result->status != STATUS_OK ||
            !(result->median_s < least_s))
            continue;
        fastest = item;
        least_s = result->median_s;
    }
    if (fastest && need_is_shown(schedule) && is_largest(schedule, fastest) &&
        (fastest->need == NEED_STALE || fastest->need == NEED_MISSING))
        fastest->need = NEED_HEADLINE;
}

void need_judge(struct schedule *schedule, const struct store *store, const struct need_headlines *headlines)
{
    for (size_t i = 0; i < schedule->count; i++)
        judge_item(schedule, store, headlines, &schedule->item[i]);
    for (size_t p = 0; p < schedule->points; p++) {
        judge_fastest(schedule, store, &schedule->point[p], KIND_CPU);
        judge_fastest(schedule, store, &schedule->point[p], KIND_GPU);
    }
}

/* ---- Groups ---- */

/* What is selected of a group. */
struct selection {
    const struct schedule *schedule;
    const struct store *store;
    struct need_size size;
    struct predict_workers workers;
    bool apply; /* sets the flags of the items; else only adds up */
};

static void take(struct selection *selection, struct item *item, size_t *count)
{
    const struct schedule *schedule = selection->schedule;
    const struct measure *measure = &schedule->experiment->measure;
    const double one_s = run_s(schedule, selection->store, item);
    *count += 1;
    if (!too_long(schedule, selection->store, item)) {
        const struct cost cost =
            predict_cost(measure, &item->cell, one_s, predict_starts_worker(&selection->workers, &item->cell));
        const double total_s = predict_total_s(&cost);
        selection->size.cost_s += total_s;
        selection->size.least_s = fmin(selection->size.least_s, total_s);
    }
    if (!selection->apply)
        return;
    item->asked = ITEM_ASKED;
    if (item->state == ITEM_FINISHED)
        item->reason = item->need == NEED_FLAGGED ? REASON_FLAGGED : REASON_ELSEWHERE;
    item->state = ITEM_PENDING;
}

/* Whether a record wants the item for one of the needs up to `rank`. */
static bool is_wanted(const struct item *item, enum need rank)
{
    return item->need != NEED_NOTHING && item->need <= rank;
}

/* Whether a result of the item holds, but is of another physical machine. */
static bool is_elsewhere(const struct schedule *schedule, const struct store *store, const struct item *item)
{
    const bool is_held = item->state == ITEM_FINISHED && item->asked != ITEM_DESELECTED;
    const struct result *result = is_held ? shown_result(store, item) : NULL;
    return result && result->status == STATUS_OK && strcmp(result->machine_mark, schedule->shared.mark) != 0;
}

/* Whether the results of a group are of several machines. */
static bool is_split(const struct schedule *schedule, const struct store *store, const struct need_group *group)
{
    const struct point *point = &schedule->point[group->point];
    const char *mark = NULL;
    for (size_t i = 0; i < point->count; i++) {
        const struct item *item = item_of(schedule, point, i);
        const struct result *result =
            item->state == ITEM_FINISHED && !is_probe(schedule, item) && backend_kind(&item->cell) == group->kind
                ? shown_result(store, item)
                : NULL;
        if (!result || result->status != STATUS_OK)
            continue;
        if (mark && strcmp(mark, result->machine_mark) != 0)
            return true;
        mark = result->machine_mark;
    }
    return false;
}

static struct need_size select_group(const struct schedule *schedule, const struct store *store,
                                     const struct need_group *group, enum need rank, bool apply)
{
    struct selection selection = {.schedule = schedule, .store = store, .size.least_s = INFINITY, .apply = apply};
    const struct point *point = &schedule->point[group->point];
    for (size_t i = 0; i < point->count; i++) {
        struct item *item = item_of(schedule, point, i);
        if (is_wanted(item, rank) && backend_kind(&item->cell) == group->kind)
            take(&selection, item, &selection.size.wanted);
    }
    const bool is_chosen = selection.size.wanted > 0 || (rank >= NEED_STALE && is_split(schedule, store, group));
    for (size_t i = 0; is_chosen && i < point->count; i++) {
        struct item *item = item_of(schedule, point, i);
        if (!is_probe(schedule, item) && backend_kind(&item->cell) == group->kind && !is_wanted(item, rank) &&
            is_elsewhere(schedule, store, item))
            take(&selection, item, &selection.size.partners);
    }
    const bool any = selection.size.wanted + selection.size.partners > 0;
    const enum precision precision = item_of(schedule, point, 0)->cell.precision;
    const double cells_s = selection.size.cost_s;
    for (size_t p = schedule->grid_items; any && p < schedule->count; p++) {
        struct item *item = &schedule->item[p];
        bool is_here = false; /* a probe of this point may be selected already */
        for (size_t i = 0; i < point->count; i++)
            is_here |= item_of(schedule, point, i) == item;
        const bool is_taken = is_here && is_wanted(item, rank);
        const bool is_lacking = is_wanted(item, rank > NEED_MISSING ? rank : NEED_MISSING);
        if (item->cell.precision == precision && !is_taken && backend_kind(&item->cell) == group->kind &&
            (is_lacking || is_elsewhere(schedule, store, item)))
            take(&selection, item, &selection.size.probes);
    }
    selection.size.probes_s = selection.size.cost_s - cells_s;
    selection.size.precision = precision;
    return selection.size;
}

struct need_size need_size(const struct schedule *schedule, const struct store *store, const struct need_group *group,
                           enum need rank)
{
    return select_group(schedule, store, group, rank, false);
}

static void defer(struct item *item)
{
    if (item->asked == ITEM_ASKED)
        item->asked = ITEM_DEFERRED;
}

void need_select(struct schedule *schedule, const struct store *store, const struct need_group *group, enum need rank)
{
    for (size_t i = 0; i < schedule->count; i++)
        defer(&schedule->item[i]);
    select_group(schedule, store, group, rank, true);
}

void need_note_tried(struct schedule *schedule, const struct store *store)
{
    for (size_t i = 0; i < schedule->count; i++) {
        struct item *item = &schedule->item[i];
        if (!item_pending(item))
            continue;
        const struct result *result = shown_result(store, item);
        const bool is_here = result && strcmp(result->machine_mark, schedule->shared.mark) == 0;
        const bool is_measured = is_here && result->status != STATUS_SKIPPED && !(result->flags & FLAG_PARTIAL);
        if ((item->need == NEED_FLAGGED && is_measured) || too_long(schedule, store, item))
            item->need = NEED_TRIED;
    }
}

void need_select_left(struct schedule *schedule, enum registry_kind kind)
{
    for (size_t i = 0; i < schedule->count; i++) {
        struct item *item = &schedule->item[i];
        if (!is_wanted(item, NEED_MISSING) || backend_kind(&item->cell) != kind)
            defer(item);
    }
}
