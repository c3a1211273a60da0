/* `tilelab run`: measures the cells that are missing or stale, and writes the results.
 * SPDX-License-Identifier: MIT */
#include "commands.h"
#include "options.h"
#include "base/timer.h"
#include "own/kernel_files.h"
#include "run/pool.h"
#include "run/run_plan.h"
#include "run/run_study.h"

static int run(int argc, char **argv, bool calibrates)
{
    struct experiments_arguments arguments;
    options_read_run("Measures the cells of experiments whose results are missing or stale.", argc, argv, &arguments);
    kernel_files_warn(stderr); /* first, since it explains why a variant is unknown */
    struct study **studies = experiments_read(&arguments);
    if (!studies)
        return EXIT_USAGE;
    if (arguments.dry_run) {
        const enum exit_code dry = run_plan_studies(studies, &arguments);
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
        const enum exit_code one = run_study(studies[i], &arguments, share ? share[i] : NULL, false, end_s, &left);
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

int run_main(int argc, char **argv)
{
    return run(argc, argv, false);
}

int run_calibration(int argc, char **argv)
{
    return run(argc, argv, true);
}
