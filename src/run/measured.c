/* What `run` and `record` share: what they say of cells to measure, and how they write the results.
 * SPDX-License-Identifier: MIT */
#include "measured.h"

#include "progress.h"
#include "run_record.h"
#include "base/escape.h"
#include "base/timer.h"
#include "base/typed.h"
#include "machine/cores_probe.h"
#include "results/outputs.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void measured_warn_changed(const char *study, const struct store *store)
{
    if (!outputs_warn_changed(store_folder(store), study))
        return;
    if (store_changed_outputs(store))
        fputs("  Their rows count as results, as the journal lacks these cells. Option --again measures them anew.\n",
              stderr);
    else
        fputs("  The results of the journal take the place of changed rows.\n", stderr);
}

void measured_probe_cores(const struct schedule *schedule)
{
    static bool warned;
    char text[160];
    bool pending = false;
    for (size_t i = 0; i < schedule->count && !pending; i++)
        pending = item_pending(&schedule->item[i]);
    if (warned || !pending || timer_is_fake() || !cores_probe())
        return;
    warned = true;
    if (cores_warning(cores_probe_found(), text, sizeof text))
        fprintf(stderr, "warning: %s\n", text);
}

void measured_say_missing(const struct schedule *schedule)
{
    size_t cells = 0, pending = 0, skipped = 0;
    for (size_t i = 0; i < schedule->count; i++) {
        const struct item *item = &schedule->item[i];
        cells += item->asked == ITEM_ASKED;
        pending += item_pending(item);
        skipped += item->asked == ITEM_ASKED && item_is_skipped(item);
    }
    printf("%s: %zu cells, %zu finished, %zu that do not suit this machine, %zu to measure", schedule->experiment->name,
           cells, cells - pending - skipped, skipped, pending);
    for (enum reason r = 0; r < REASON_NONE; r++) {
        const size_t count = schedule_count(schedule, r);
        if (count > 0)
            printf("; %s: %zu", schedule_reasons[r], count);
    }
    putchar('\n');
    fflush(stdout);
}

static bool is_listed(const struct schedule *schedule, const char *id)
{
    for (size_t i = 0; i < schedule->listed.count; i++)
        if (strcmp(schedule->listed_id[i], id) == 0)
            return true;
    return false;
}

void measured_say_orphaned(const struct schedule *schedule, const struct store *store)
{
    const struct experiment *experiment = schedule->experiment;
    size_t outside = 0;
    for (size_t i = 0; experiment->settings > 0 && i < schedule->grid_items; i++) {
        const struct item *item = &schedule->item[i];
        struct store_summary known;
        outside += item->asked == ITEM_ASKED && !item_is_skipped(item) && !is_listed(schedule, item->id) &&
                   store_lookup(store, item->id, &known) && known.status != STATUS_SKIPPED;
    }
    if (outside > 0)
        printf("%s: %zu of these results are of cells that %s does not have. The report leaves them out; tilelab show "
               "%s --data %s --orphaned shows them.\n",
               experiment->name, outside, experiment->path, experiment->name, store_folder(store));
}

/* Says which cells have no number of their energy, and why. */
static void say_no_energy(const struct run_report *report, const char *study)
{
    for (int i = 0; i < RUN_LACKS && report->no_energy[i].cells > 0; i++)
        fprintf(stderr, "%s: the energy of %zu cell%s is not known: %s\n", study, report->no_energy[i].cells,
                report->no_energy[i].cells == 1 ? "" : "s", report->no_energy[i].why);
}

/* How many cells have an outcome and no time. */
static size_t failed_cells(const struct run_report *report)
{
    size_t cells = 0;
    for (int i = 0; i < STATUSES; i++)
        cells += i != STATUS_OK && i != STATUS_SKIPPED ? report->status[i] : 0;
    return cells;
}

enum exit_code measured_write(struct schedule *schedule, struct store *store, const char *folder,
                              struct run_report *report)
{
    bool changed = false;
    int failed = 0;
    say_no_energy(report, schedule->experiment->name);
    for (size_t i = 0; i < schedule->count; i++) {
        struct store_summary known;
        if (schedule->item[i].asked != ITEM_DESELECTED && store_lookup(store, schedule->item[i].id, &known))
            report->status[known.status]++;
    }
    if (store_export(store, (const char(*)[CELL_ID_SIZE])schedule->listed_id, schedule->listed.count, &changed) != 0)
        failed = errno ? errno : EIO;
    if (!failed)
        failed = run_record_write(folder, schedule, store, report, changed || report->changed);
    /* What was written after the folder was replaced lies in another folder. */
    if (!failed && !store_in_place(store))
        failed = errno;
    if (failed)
        fprintf(stderr, "tilelab: results in %s could not be written: %s\n", folder, store_failure(failed));
    if (failed || report->store_failed)
        return EXIT_STORE;
    if (report->interrupted)
        return EXIT_INTERRUPTED;
    if (report->transients > 0) {
        fprintf(stderr, "%s: transient errors of the machine kept %zu cell%s from being measured; run the same again\n",
                schedule->experiment->name, report->transients, report->transients == 1 ? "" : "s");
        return EXIT_CELLS;
    }
    return failed_cells(report) > 0 ? EXIT_CELLS : EXIT_OK;
}

void measured_say_failed(const struct schedule *schedule, const struct run_report *report, const char *folder)
{
    const size_t cells = failed_cells(report);
    if (cells == 0)
        return;
    char *quoted = escape_shell(folder);
    fprintf(stderr, "%s: %zu cell%s failed or wrong; `tilelab show %s --data %s` names %s, %s measures %s again\n",
            schedule->experiment->name, cells, cells == 1 ? " is" : "s are", schedule->experiment->name, quoted,
            cells == 1 ? "it" : "them", typed_retry(), cells == 1 ? "it" : "them");
    free(quoted);
}

void measured_add_doubts(struct run_doubts *sum, const struct run_doubts *doubts)
{
    sum->times += doubts->times;
    sum->any += doubts->any;
    sum->noisy += doubts->noisy;
    sum->throttled += doubts->throttled;
    sum->unsteady += doubts->unsteady;
    sum->wide += doubts->wide;
}

void measured_add_left(struct measured_left *left, const struct run_report *report)
{
    left->measured += report->measured;
    measured_add_doubts(&left->doubts, &report->doubts);
    if (report->left == 0)
        return;
    left->least_s = left->cells ? fmin(left->least_s, report->left_least_s) : report->left_least_s;
    left->cells += report->left;
    left->time_s += report->left_s;
}

void measured_say_doubts(const struct run_doubts *doubts, bool calibrates, FILE *out)
{
    if (doubts->any == 0)
        return;
    fprintf(out, "warning: %zu of %zu new times are flagged or have a wide interval.\n", doubts->any, doubts->times);
    if (doubts->noisy > 0)
        fprintf(out, "  noisy: %zu; other programs, or guests of this machine, took processor time\n", doubts->noisy);
    if (doubts->throttled > 0)
        fprintf(out, "  throttled: %zu; the GPU lowered its clock\n", doubts->throttled);
    if (doubts->unsteady > 0)
        fprintf(out, "  unsteady: %zu; %s\n", doubts->unsteady, result_flags[BIT_UNSTEADY].meaning);
    if (doubts->wide > 0)
        fprintf(out, "  an interval wider than 10 %%: %zu\n", doubts->wide);
    fputs("End other programs or wait until the machine is idle, and ", out);
    if (calibrates)
        fputs("calibrate again. --profile full takes\nmore rounds.\n", out);
    else
        fprintf(out,
                "measure again with %s. %sfull takes\nmore rounds. Tables mark flagged times with the letters of the "
                "flags.\n",
                typed_again(), typed_profile());
}

void measured_say_how_to_go_on(const struct measured_left *left, bool interrupted,
                               const struct experiments_arguments *arguments)
{
    const bool too_short = !interrupted && left->measured == 0;
    const char *are = left->cells == 1 ? " is" : "s are";
    char time[32], least[32];
    progress_duration(left->time_s, time, sizeof time);
    progress_duration(left->least_s, least, sizeof least);
    if (interrupted)
        fprintf(stderr, "interrupted; what was measured is kept. To go on:\n");
    else if (too_short)
        fprintf(stderr, "%zu cell%s left, about %s; the shortest needs %s, more than was left. To go on:\n",
                left->cells, are, time, least);
    else
        fprintf(stderr, "%zu cell%s left, about %s. To go on:\n", left->cells, are, time);
    typed_print(stderr, !too_short);
    if (arguments->again == AGAIN_ALL)
        fprintf(stderr, "Cells that were not measured again keep their results. With --again all cells start over.\n");
}
