/* `tilelab plan`: what `tilelab run` would measure, and how long that would take.
 * SPDX-License-Identifier: MIT */
#include "commands.h"
#include "options.h"
#include "run/run_plan.h"

int plan_main(int argc, char **argv)
{
    struct experiments_arguments arguments;
    options_read_run("Shows what `tilelab run` would measure, and how long that would take.", argc, argv, &arguments);
    struct study **studies = experiments_read(&arguments);
    const enum exit_code code = studies ? run_plan_studies(studies, &arguments) : EXIT_USAGE;
    experiments_free(studies, &arguments);
    return code;
}
