/* `tilelab run`: measures the cells that are missing or stale, and writes the results.
 * SPDX-License-Identifier: MIT */
#include "commands.h"
#include "experiments.h"
#include "measured.h"
#include "plan.h"
#include "base/timer.h"
#include "own/kernel_files.h"
#include "parts/part_file.h"
#include "run/pool.h"

#include <math.h>
#include <stdlib.h>
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

/* Measures one study. `of`: the part of each of its points, or NULL. `together`: a point is measured as a whole. */
static enum exit_code run_one(struct study *study, const struct experiments_arguments *arguments, const int *of,
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
    }
    schedule_free(schedule);
    store_close(store);
    return code;
}

static int run(int argc, char **argv, bool calibrates)
{
    struct experiments_arguments arguments;
    experiments_arguments("Measures the cells of experiments whose results are missing or stale.", argc, argv,
                          &arguments);
    kernel_files_warn(stderr); /* first, since it explains why a variant is unknown */
    struct study **studies = experiments_read(&arguments);
    if (!studies)
        return EXIT_USAGE;
    if (arguments.dry_run) {
        const enum exit_code dry = plan_studies(studies, &arguments);
        experiments_free(studies, &arguments);
        return dry;
    }
    bool failed;
    int **const share = experiments_share(studies, &arguments, &failed);
    pool_catch_interrupts();
    const double end_s = timer_now_s() + arguments.budget_s;
    struct measured_left left = {0};
    enum exit_code code = failed ? EXIT_USAGE : experiments_folder(arguments.data) ? EXIT_OK : EXIT_STORE;
    for (size_t i = 0; !failed && code != EXIT_STORE && i < arguments.files; i++) {
        const enum exit_code one = run_one(studies[i], &arguments, share ? share[i] : NULL, false, end_s, &left);
        if (one > code)
            code = one;
        if (one == EXIT_STORE || one == EXIT_INTERRUPTED)
            break;
    }
    measured_say_doubts(&left.doubts, calibrates, stderr);
    if (code == EXIT_INTERRUPTED || (code != EXIT_STORE && left.cells > 0))
        measured_say_how_to_go_on(&left, code == EXIT_INTERRUPTED, &arguments);
    experiments_share_free(share, &arguments);
    experiments_free(studies, &arguments);
    return code;
}

int run_together(struct study *study, const struct experiments_arguments *arguments)
{
    struct measured_left left = {0};
    if (!experiments_folder(arguments->data))
        return EXIT_STORE;
    pool_catch_interrupts();
    const int code = run_one(study, arguments, NULL, true, timer_now_s() + arguments->budget_s, &left);
    if (code == EXIT_INTERRUPTED || (code != EXIT_STORE && left.cells > 0))
        measured_say_how_to_go_on(&left, code == EXIT_INTERRUPTED, arguments);
    return code;
}

int run_main(int argc, char **argv)
{
    return run(argc, argv, false);
}

int run_calibration(int argc, char **argv)
{
    return run(argc, argv, true);
}
