/* Keeping what a run measures: results, skipped cells, and the rounds of cells that are not finished.
 * SPDX-License-Identifier: MIT */
#include "run_parts.h"

#include "base/timer.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A SIGKILL costs about this time of measuring. */
static const double SAVE_EVERY_S = 10;
/* The CSV files follow the journal after this time, for whoever looks at them during a long run. */
static const double EXPORT_EVERY_S = 60;
/* Saving takes no larger share of the time. */
static const double SAVE_SHARE_MOST = 0.05;

void run_keep(struct run *run, struct result *result)
{
    if (store_append(run->store, result) != 0) {
        fprintf(stderr, "tilelab: a result could not be written: %s\n", store_failure(errno));
        run->report->store_failed = true;
    }
}

void run_keep_skip(struct run *run, struct item *item, const char *reason)
{
    const struct result *shown = store_find(run->store, item->id);
    if (shown && (shown->status != STATUS_SKIPPED || strcmp(shown->reason, reason) == 0))
        return;
    struct result result = {0};
    provenance_begin(&run->schedule->shared, &item->cell, item->id, &result);
    result.status = STATUS_SKIPPED;
    snprintf(result.reason, sizeof result.reason, "%s", reason);
    run_keep(run, &result);
}

/* How many seconds lie between two saves. TILELAB_SAVE_S replaces the constant, for tests. */
static double save_every_s(void)
{
    static double seconds = -1;
    if (seconds < 0) {
        const char *text = getenv("TILELAB_SAVE_S");
        seconds = text && atof(text) >= 0 ? atof(text) : SAVE_EVERY_S;
    }
    return seconds;
}

void run_keep_begin(struct run *run)
{
    const double now_s = timer_now_s();
    run->save_due_s = now_s + save_every_s();
    run->export_due_s = now_s + EXPORT_EVERY_S;
}

void run_keep_partial(struct run *run, struct cell_run *cell_run)
{
    /* The finished time of a cell that is measured again counts until there is another. */
    if (cell_run->result.sample_count == cell_run->saved_samples || run->again > 0)
        return;
    /* The copy shares samples and history with the cell. The summary of an ok result frees neither. */
    struct result copy = cell_run->result;
    result_summarise(&copy);
    copy.flags |= FLAG_PARTIAL;
    run_keep(run, &copy);
    cell_run->saved_samples = copy.sample_count;
}

void run_keep_rounds(struct run *run, bool at_once)
{
    const double start_s = timer_now_s(), every_s = save_every_s();
    if (!at_once && start_s < run->save_due_s)
        return;
    for (size_t i = 0; i < run->cell_runs && !run->report->store_failed; i++)
        if (!run->cell_run[i].finished)
            run_keep_partial(run, &run->cell_run[i]);
    /* Many cells take long to save. */
    const double end_s = timer_now_s();
    run->save_due_s = end_s + (every_s > 0 ? fmax(every_s, (end_s - start_s) / SAVE_SHARE_MOST) : 0);
    run_keep_export(run);
}

void run_keep_export(struct run *run)
{
    const struct schedule *schedule = run->schedule;
    const double start_s = timer_now_s();
    bool changed = false;
    if (start_s < run->export_due_s || run->report->store_failed)
        return;
    if (store_export(run->store, (const char(*)[CELL_ID_SIZE])schedule->listed_id, schedule->listed.count, &changed)) {
        fprintf(stderr, "tilelab: the results could not be written: %s\n", store_failure(errno));
        run->report->store_failed = true;
    }
    run->report->changed |= changed;
    const double end_s = timer_now_s();
    run->export_due_s = end_s + fmax(EXPORT_EVERY_S, (end_s - start_s) / SAVE_SHARE_MOST);
}
