/* `tilelab check`: checks experiment files without measuring anything.
 * SPDX-License-Identifier: MIT */
#include "commands.h"
#include "options.h"
#include "study_file.h"
#include "plan/experiment_read.h"
#include "plan/grid.h"

#include <argp.h>

/* Reads the file as one profile sees it and expands its grid. False, after diagnostics, where something is wrong. */
static bool check_profile(const char *path, enum profile profile, size_t *cells)
{
    struct grid_limits limits = grid_limits_here();
    limits.cores = NULL; /* a check of a file needs no probe of the machine */
    struct experiment *experiment = experiment_read(path, profile, stderr);
    struct grid grid = {0};
    const bool right = experiment && grid_expand(experiment, &limits, &grid, stderr) == 0;
    *cells = grid.count;
    if (right)
        grid_free(&grid);
    experiment_free(experiment);
    return right;
}

int check_main(int argc, char **argv)
{
    const struct argp argp = {.args_doc = "EXPERIMENT.yaml...",
                              .doc = "Checks experiment files under all profiles and prints the sizes of their grids."};
    int at = argc;
    options_parse(&argp, argc, argv, ARGP_NO_ARGS | ARGP_IN_ORDER, &at, NULL);
    enum exit_code code = at < argc ? EXIT_OK : EXIT_USAGE;
    if (at == argc)
        fputs("tilelab check: name an experiment, for example experiments/smoke.yaml\n", stderr);
    for (; at < argc; at++) {
        const char *path = study_file_path(argv[at]);
        size_t cells[PROFILE_RECORD + 1] = {0};
        bool right = study_file_exists(path);
        for (int profile = PROFILE_FULL; profile <= PROFILE_RECORD && right; profile++)
            right = check_profile(path, (enum profile)profile, &cells[profile]);
        if (!right)
            code = EXIT_USAGE;
        else
            printf("%s: %zu cells in full, %zu in quick, %zu in record\n", path, cells[PROFILE_FULL],
                   cells[PROFILE_QUICK], cells[PROFILE_RECORD]);
    }
    return code;
}
