/* `tilelab check`: checks experiment files without measuring anything.
 * SPDX-License-Identifier: MIT */
#include "commands.h"
#include "options.h"
#include "own/own.h"
#include "plan/study.h"
#include "plan/study_file.h"

#include <argp.h>

/* Expands the grid of each profile. False, after diagnostics, where one does not expand. */
static bool check_grids(const struct study *study, size_t cells[PROFILES])
{
    struct grid_limits limits = grid_limits_here();
    limits.cores = NULL; /* a check of a file needs no probe of the machine */
    for (int profile = PROFILE_FULL; profile < PROFILES; profile++) {
        struct grid grid;
        if (grid_expand(study->profile[profile], &limits, &grid, stderr) != 0)
            return false;
        cells[profile] = grid.count;
        grid_free(&grid);
    }
    return true;
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
    for (int i = at; i < argc; i++)
        own_use_experiment(study_file_path(argv[i]));
    for (; at < argc; at++) {
        const char *path = study_file_path(argv[at]);
        size_t cells[PROFILES];
        struct study *study = study_file_exists(path) ? study_read(path, PROFILE_FULL, NULL, 0, stderr) : NULL;
        if (!study || !check_grids(study, cells))
            code = EXIT_USAGE;
        else
            printf("%s: %zu cells in full, %zu in quick, %zu in record\n", path, cells[PROFILE_FULL],
                   cells[PROFILE_QUICK], cells[PROFILE_RECORD]);
        study_free(study);
    }
    return code;
}
