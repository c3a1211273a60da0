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

static bool is_probe(const struct schedule *schedule, const struct task *task)
{
    return (size_t)(task - schedule->task) >= schedule->grid_tasks;
}

/* The task number i of a point. */
static struct task *task_of(const struct schedule *schedule, const struct point *point, size_t i)
{
    return &schedule->task[schedule->order[point->first + i]];
}

/* The result that the store shows of a task. NULL where there is none, or no store. */
static const struct result *shown_result(const struct store *store, const struct task *task)
{
    return store ? store_find(store, task->id) : NULL;
}

/* The time of one run: of the result that the store shows, whatever its age, else as predicted. */
static double run_s(const struct schedule *schedule, const struct store *store, const struct task *task)
{
    const struct result *result = shown_result(store, task);
    return result && result->status == STATUS_OK && result->median_s > 0 ? result->median_s
                                                                         : predict_run_s(schedule->task, store, task);
}

static bool too_long(const struct schedule *schedule, const struct store *store, const struct task *task)
{
    return predict_run_s(schedule->task, store, task) > schedule->experiment->measure.skip_above_s;
}

/* ---- Needs ---- */

bool need_is_shown(const struct schedule *schedule)
{
    return schedule->experiment->figures + schedule->experiment->tables > 0;
}

/* Whether no cell of the same variant and precision that suits this machine has a larger n. */
static bool is_largest(const struct schedule *schedule, const struct task *task)
{
    for (size_t i = 0; i < schedule->grid_tasks; i++) {
        const struct task *other = &schedule->task[i];
        if (other->cell.entry == task->cell.entry && other->cell.precision == task->cell.precision &&
            other->cell.n > task->cell.n && !task_is_skipped(other))
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
                        const struct task *task)
{
    const struct entry *entry = task->cell.entry;
    const bool largest = is_largest(schedule, task);
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
                         const struct need_headlines *headlines, const struct task *task)
{
    const struct result *result = shown_result(store, task);
    if (task->state == TASK_FINISHED)
        return result && result->status == STATUS_OK && result->flags & result_flags_of(FLAG_IS_DOUBT) ? NEED_FLAGGED
                                                                                                       : NEED_NOTHING;
    if (need_is_shown(schedule) && !is_probe(schedule, task) && is_headline(schedule, headlines, task))
        return NEED_HEADLINE;
    return !result || result->status == STATUS_SKIPPED ? NEED_MISSING : NEED_STALE;
}

static void judge_task(const struct schedule *schedule, const struct store *store,
                       const struct need_headlines *headlines, struct task *task)
{
    if (task->asked == TASK_DEFERRED)
        task->asked = TASK_ASKED;
    if (task_is_skipped(task) || task->asked == TASK_DESELECTED)
        return;
    schedule_judge(schedule, store, AGAIN_NOTHING, task);
    if (task->need != NEED_TRIED)
        task->need = need_of(schedule, store, headlines, task);
}

/* The fastest own cell of a group of largest n is a headline's. */
static void judge_fastest(struct schedule *schedule, const struct store *store, const struct point *point,
                          enum registry_kind kind)
{
    struct task *fastest = NULL;
    double least_s = INFINITY;
    for (size_t i = 0; i < point->count; i++) {
        struct task *task = task_of(schedule, point, i);
        const struct result *result = shown_result(store, task);
        if (task_is_skipped(task) || is_probe(schedule, task) || task->cell.entry->meta->vendor ||
            backend_kind(&task->cell) != kind || !result || result->status != STATUS_OK ||
            !(result->median_s < least_s))
            continue;
        fastest = task;
        least_s = result->median_s;
    }
    if (fastest && need_is_shown(schedule) && is_largest(schedule, fastest) &&
        (fastest->need == NEED_STALE || fastest->need == NEED_MISSING))
        fastest->need = NEED_HEADLINE;
}

void need_judge(struct schedule *schedule, const struct store *store, const struct need_headlines *headlines)
{
    for (size_t i = 0; i < schedule->count; i++)
        judge_task(schedule, store, headlines, &schedule->task[i]);
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
    bool apply; /* sets the flags of the tasks; else only adds up */
};

static void take(struct selection *selection, struct task *task, size_t *count)
{
    const struct schedule *schedule = selection->schedule;
    const struct measure *measure = &schedule->experiment->measure;
    const double one_s = run_s(schedule, selection->store, task);
    *count += 1;
    if (!too_long(schedule, selection->store, task)) {
        const struct cost cost =
            predict_cost(measure, &task->cell, one_s, predict_starts_worker(&selection->workers, &task->cell));
        const double total_s = predict_total_s(&cost);
        selection->size.cost_s += total_s;
        selection->size.least_s = fmin(selection->size.least_s, total_s);
    }
    if (!selection->apply)
        return;
    task->asked = TASK_ASKED;
    if (task->state == TASK_FINISHED)
        task->reason = task->need == NEED_FLAGGED ? REASON_FLAGGED : REASON_ELSEWHERE;
    task->state = TASK_PENDING;
}

/* Whether a record wants the task for one of the needs up to `rank`. */
static bool is_wanted(const struct task *task, enum need rank)
{
    return task->need != NEED_NOTHING && task->need <= rank;
}

/* Whether a result of the task holds, but is of another physical machine. */
static bool is_elsewhere(const struct schedule *schedule, const struct store *store, const struct task *task)
{
    const bool is_held = task->state == TASK_FINISHED && task->asked != TASK_DESELECTED;
    const struct result *result = is_held ? shown_result(store, task) : NULL;
    return result && result->status == STATUS_OK && strcmp(result->machine_mark, schedule->shared.mark) != 0;
}

/* Whether the results of a group are of several machines. */
static bool is_split(const struct schedule *schedule, const struct store *store, const struct need_group *group)
{
    const struct point *point = &schedule->point[group->point];
    const char *mark = NULL;
    for (size_t i = 0; i < point->count; i++) {
        const struct task *task = task_of(schedule, point, i);
        const struct result *result =
            task->state == TASK_FINISHED && !is_probe(schedule, task) && backend_kind(&task->cell) == group->kind
                ? shown_result(store, task)
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
        struct task *task = task_of(schedule, point, i);
        if (is_wanted(task, rank) && backend_kind(&task->cell) == group->kind)
            take(&selection, task, &selection.size.wanted);
    }
    const bool is_chosen = selection.size.wanted > 0 || (rank >= NEED_STALE && is_split(schedule, store, group));
    for (size_t i = 0; is_chosen && i < point->count; i++) {
        struct task *task = task_of(schedule, point, i);
        if (!is_probe(schedule, task) && backend_kind(&task->cell) == group->kind && !is_wanted(task, rank) &&
            is_elsewhere(schedule, store, task))
            take(&selection, task, &selection.size.partners);
    }
    const bool any = selection.size.wanted + selection.size.partners > 0;
    const enum precision precision = task_of(schedule, point, 0)->cell.precision;
    const double cells_s = selection.size.cost_s;
    for (size_t p = schedule->grid_tasks; any && p < schedule->count; p++) {
        struct task *task = &schedule->task[p];
        bool is_here = false; /* a probe of this point may be selected already */
        for (size_t i = 0; i < point->count; i++)
            is_here |= task_of(schedule, point, i) == task;
        const bool is_taken = is_here && is_wanted(task, rank);
        const bool is_lacking = is_wanted(task, rank > NEED_MISSING ? rank : NEED_MISSING);
        if (task->cell.precision == precision && !is_taken && backend_kind(&task->cell) == group->kind &&
            (is_lacking || is_elsewhere(schedule, store, task)))
            take(&selection, task, &selection.size.probes);
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

static void defer(struct task *task)
{
    if (task->asked == TASK_ASKED)
        task->asked = TASK_DEFERRED;
}

void need_select(struct schedule *schedule, const struct store *store, const struct need_group *group, enum need rank)
{
    for (size_t i = 0; i < schedule->count; i++)
        defer(&schedule->task[i]);
    select_group(schedule, store, group, rank, true);
}

void need_note_tried(struct schedule *schedule, const struct store *store)
{
    for (size_t i = 0; i < schedule->count; i++) {
        struct task *task = &schedule->task[i];
        if (!task_pending(task))
            continue;
        const struct result *result = shown_result(store, task);
        const bool is_here = result && strcmp(result->machine_mark, schedule->shared.mark) == 0;
        const bool is_measured = is_here && result->status != STATUS_SKIPPED && !(result->flags & FLAG_PARTIAL);
        if ((task->need == NEED_FLAGGED && is_measured) || too_long(schedule, store, task))
            task->need = NEED_TRIED;
    }
}

void need_select_left(struct schedule *schedule, enum registry_kind kind)
{
    for (size_t i = 0; i < schedule->count; i++) {
        struct task *task = &schedule->task[i];
        if (!is_wanted(task, NEED_MISSING) || backend_kind(&task->cell) != kind)
            defer(task);
    }
}
