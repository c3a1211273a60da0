/* One study is measured: from its results so far to its written results.
 * SPDX-License-Identifier: MIT */
#include "run_study.h"

#include "pool.h"
#include "base/timer.h"
#include "plan/part_file.h"

#include <string.h>

/* Opens the results of an experiment. NULL after a message. */
static struct store *open_store(const struct experiment *experiment, const struct experiments_arguments *arguments)
{
    char why[512];
    if (arguments->wait && store_is_held(arguments->data, experiment->name)) {
        printf("%s: waiting for another run, which holds %s\n", experiment->name, arguments->data);
        fflush(stdout);
        store_await(arguments->data, experiment->name);
    }
    struct store *store = store_open(arguments->data, experiment->name, false, why, sizeof why);
    if (!store)
        fprintf(stderr, "tilelab: %s\n", why);
    else
        measured_warn_changed(experiment->name, store);
    return store;
}

/* Whether a folder holds no other part of a study. Two parts in one folder would count as one. */
static bool is_free(const char *folder, const char *study, const struct part_name *part)
{
    char why[1024];
    struct part_file held;
    if (!part_file_read(folder, study, &held, why, sizeof why))
        return true; /* this run writes the list anew */
    const struct part_name is = held.part;
    part_file_free(&held);
    if (is.number == part->number && is.of == part->of)
        return true;
    fprintf(stderr, "tilelab: %s holds part %d/%d of %s; --data names a folder of its own for part %d/%d\n", folder,
            is.number, is.of, study, part->number, part->of);
    return false;
}

/* Leaves the points of this machine's part in the schedule, and writes down which part measures which cell. */
static bool select_part(struct schedule *schedule, const struct experiments_arguments *arguments, const int *of)
{
    if (!is_free(arguments->data, schedule->experiment->name, &arguments->part))
        return false;
    const size_t points = schedule->points;
    const int failed = part_file_write(arguments->data, schedule, &arguments->part, of);
    part_select(schedule, of, arguments->part.number);
    printf("%s: part %d of %d has %zu of %zu points\n", schedule->experiment->name, arguments->part.number,
           arguments->part.of, schedule->points, points);
    if (failed)
        fprintf(stderr, "tilelab: the list of this part cannot be written into %s: %s\n", arguments->data,
                strerror(failed));
    return !failed;
}

enum exit_code run_study(struct study *study, const struct experiments_arguments *arguments, const int *of,
                         bool together, double end_s, struct measured_left *left)
{
    struct store *store = open_store(study->asked, arguments);
    if (!store)
        return EXIT_STORE;
    enum exit_code code = EXIT_USAGE;
    struct schedule *schedule = schedule_make(study, store, arguments->again, stderr);
    if (schedule)
        schedule_list(schedule, store);
    if (schedule && together)
        schedule_join(schedule, store);
    if (schedule && of && !select_part(schedule, arguments, of)) {
        code = EXIT_STORE;
    } else if (schedule) {
        struct run_report report;
        measured_say_missing(schedule);
        measured_probe_cores(schedule);
        const struct run_options options = {.budget_s = arguments->budget_s,
                                            .end_s = end_s,
                                            .together = together || arguments->paired,
                                            .all_rounds = arguments->paired};
        run_schedule(schedule, store, &options, &report);
        measured_add_left(left, &report);
        code = measured_write(schedule, store, arguments->data, &report);
        measured_say_orphaned(schedule, store);
        if (!together)
            measured_say_failed(schedule, &report, arguments->data);
    }
    schedule_free(schedule);
    store_close(store);
    return code;
}

enum exit_code run_together(struct study *study, const struct experiments_arguments *arguments)
{
    struct measured_left left = {0};
    if (!experiments_folder(arguments->data))
        return EXIT_STORE;
    pool_catch_interrupts();
    const enum exit_code code = run_study(study, arguments, NULL, true, timer_now_s() + arguments->budget_s, &left);
    if (code == EXIT_INTERRUPTED || (code != EXIT_STORE && left.cells > 0))
        measured_say_how_to_go_on(&left, code == EXIT_INTERRUPTED, arguments);
    return code;
}
