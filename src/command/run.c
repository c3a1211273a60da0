/* `tilelab run`: measures the cells that are missing or stale, and writes the results.
 * SPDX-License-Identifier: MIT */
#include "commands.h"
#include "experiments.h"
#include "measured.h"
#include "base/timer.h"
#include "measure/pool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static enum exit_code run_one(const struct experiment *experiment, const struct experiments_arguments *arguments,
                              double end_s, struct measured_left *left)
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
        measured_say_missing(schedule);
        run_schedule(schedule, store, &(struct run_options){.budget_s = arguments->budget_s, .end_s = end_s}, &report);
        measured_add_left(left, &report);
        code = measured_write(schedule, store, arguments->data, &report);
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
    struct measured_left left = {0};
    enum exit_code code = experiments_folder(arguments.data) ? EXIT_OK : EXIT_STORE;
    for (size_t i = 0; code != EXIT_STORE && i < arguments.files; i++) {
        const enum exit_code one = run_one(experiments[i], &arguments, end_s, &left);
        if (one > code)
            code = one;
        if (one == EXIT_STORE || one == EXIT_INTERRUPTED)
            break;
    }
    if (code == EXIT_INTERRUPTED || (code != EXIT_STORE && left.cells > 0))
        measured_say_how_to_go_on(&left, code == EXIT_INTERRUPTED, &arguments);
    for (size_t i = 0; i < arguments.files; i++)
        experiment_free(experiments[i]);
    free(experiments);
    free(arguments.file);
    return code;
}
