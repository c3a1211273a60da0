/* `tilelab run`: measures the cells that are missing or stale, and writes the results.
 * SPDX-License-Identifier: MIT */
#include "cell.h"
#include "commands.h"
#include "experiments.h"
#include "typed.h"
#include "base/timer.h"
#include "measure/pool.h"
#include "measure/progress.h"
#include "measure/run_record.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Prints how many cells are finished, do not suit this machine, or are to be measured and why. */
static void say_what_is_missing(const struct schedule *schedule)
{
    size_t pending = 0, skipped = 0;
    for (size_t i = 0; i < schedule->count; i++) {
        pending += task_pending(&schedule->task[i]);
        skipped += schedule->task[i].skip != NULL;
    }
    printf("%s: %zu cells, %zu finished, %zu that do not suit this machine, %zu to measure", schedule->experiment->name,
           schedule->count, schedule->count - pending - skipped, skipped, pending);
    for (size_t r = 0; schedule_reasons[r]; r++) {
        size_t count = 0;
        for (size_t i = 0; i < schedule->count; i++)
            count += task_pending(&schedule->task[i]) && schedule->task[i].why == schedule_reasons[r];
        if (count > 0)
            printf("; %s: %zu", schedule_reasons[r], count);
    }
    putchar('\n');
    fflush(stdout);
}

/* Writes the CSV files and the run record, and counts the cells by status. */
static enum exit_code write_results(struct schedule *schedule, struct store *store,
                                    const struct experiments_arguments *arguments, struct run_report *report)
{
    bool changed = false;
    int failed = 0;
    for (size_t i = 0; i < schedule->count; i++) {
        struct glance known;
        if (store_peek(store, schedule->task[i].id, &known))
            report->status[known.status]++;
    }
    if (store_export(store, (const char(*)[CELL_ID_SIZE])schedule->listed_id, schedule->listed.count, &changed) != 0)
        failed = errno ? errno : EIO;
    if (!failed)
        failed = run_record_write(arguments->data, schedule, store, report, changed || report->changed);
    if (failed)
        fprintf(stderr, "tilelab: results in %s could not be written: %s\n", arguments->data, store_failure(failed));
    return failed ? EXIT_STORE : EXIT_OK;
}

/* What the budget left to measure, in all experiments. */
struct left {
    size_t measured, cells;
    double time_s, least_s;
};

static void add_left(struct left *left, const struct run_report *report)
{
    left->measured += report->measured;
    if (report->left == 0)
        return;
    left->least_s = left->cells ? fmin(left->least_s, report->left_least_s) : report->left_least_s;
    left->cells += report->left;
    left->time_s += report->left_s;
}

static enum exit_code run_one(const struct experiment *experiment, const struct experiments_arguments *arguments,
                              double end_s, struct left *left)
{
    char why[512];
    struct store *store = store_open(arguments->data, experiment->name, false, why, sizeof why);
    if (!store) {
        fprintf(stderr, "tilelab: %s\n", why);
        return EXIT_STORE;
    }
    enum exit_code code = EXIT_USAGE;
    struct schedule *schedule = schedule_make(experiment, store, arguments->again, stderr);
    if (schedule && !schedule_list(schedule, store)) {
        fprintf(stderr, "tilelab: out of memory for the cells of %s\n", experiment->name);
        code = EXIT_STORE;
    } else if (schedule) {
        struct run_report report;
        say_what_is_missing(schedule);
        run_schedule(schedule, store, &(struct run_options){.budget_s = arguments->budget_s, .end_s = end_s}, &report);
        add_left(left, &report);
        code = write_results(schedule, store, arguments, &report);
        if (report.store_failed)
            code = EXIT_STORE;
        else if (code == EXIT_OK && report.interrupted)
            code = EXIT_INTERRUPTED;
        for (int i = 0; code == EXIT_OK && i < STATUSES; i++)
            if (i != STATUS_OK && i != STATUS_SKIPPED && report.status[i] > 0)
                code = EXIT_CELLS;
    }
    schedule_free(schedule);
    store_close(store);
    return code;
}

/* Prints the command that goes on with a run that was interrupted, or that the budget ended. */
static void say_how_to_go_on(const struct left *left, bool interrupted, const struct experiments_arguments *arguments)
{
    const bool too_short = !interrupted && left->measured == 0;
    char time[32], least[32];
    progress_duration(left->time_s, time, sizeof time);
    progress_duration(left->least_s, least, sizeof least);
    if (interrupted)
        fprintf(stderr, "interrupted; what was measured is kept. To go on:\n");
    else if (too_short)
        fprintf(stderr, "%zu cells are left, about %s; the shortest needs %s, more than the budget. To go on:\n",
                left->cells, time, least);
    else
        fprintf(stderr, "%zu cells are left, about %s. To go on:\n", left->cells, time);
    typed_print(stderr, !too_short);
    if (arguments->again == AGAIN_ALL)
        fprintf(stderr, "Cells that were not measured again keep their results. With --again all cells start over.\n");
}

int run_main(int argc, char **argv)
{
    struct experiments_arguments arguments;
    if (!experiments_arguments("Measures the cells of experiments whose results are missing or stale.", argc, argv,
                               &arguments))
        return EXIT_USAGE;
    struct experiment **experiments = experiments_read(&arguments);
    if (!experiments)
        return EXIT_USAGE;
    pool_catch_interrupts();
    const double end_s = timer_now_s() + arguments.budget_s;
    struct left left = {0};
    enum exit_code code = experiments_folder(arguments.data) ? EXIT_OK : EXIT_STORE;
    for (size_t i = 0; code != EXIT_STORE && i < arguments.files; i++) {
        const enum exit_code one = run_one(experiments[i], &arguments, end_s, &left);
        if (one > code)
            code = one;
        if (one == EXIT_STORE || one == EXIT_INTERRUPTED)
            break;
    }
    if (code == EXIT_INTERRUPTED || (code != EXIT_STORE && left.cells > 0))
        say_how_to_go_on(&left, code == EXIT_INTERRUPTED, &arguments);
    for (size_t i = 0; i < arguments.files; i++)
        experiment_free(experiments[i]);
    free(experiments);
    free(arguments.file);
    return code;
}
