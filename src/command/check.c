/* `tilelab check`: checks experiment files, and recorded folders, without measuring anything.
 * SPDX-License-Identifier: MIT */
#include "commands.h"
#include "options.h"
#include "base/folder.h"
#include "base/memory.h"
#include "plan/study.h"
#include "plan/study_file.h"
#include "results/agreement.h"

#include <argp.h>
#include <stdlib.h>

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

/* Compares the run records of a folder with its files. False, after diagnostics, where they do not agree. */
static bool check_folder(const char *folder)
{
    const struct agreement found = agreement_check(folder);
    if (found.faults == 0 && found.studies == 0)
        fprintf(stderr, "tilelab check: %s holds no studies\n", folder);
    else if (found.faults == 0)
        printf("%s: %zu studies agree with their run records; %zu of them lack rows that %s counts\n", folder,
               found.studies, found.left_out, agreement_left_out);
    return found.faults == 0 && found.studies > 0;
}

static bool check_file(struct yaml *yaml, const char *path)
{
    size_t cells[PROFILES];
    struct study *study = yaml ? study_read(yaml, PROFILE_FULL, NULL, 0, stderr) : NULL;
    const bool right = study && check_grids(study, cells);
    if (right)
        printf("%s: %zu cells in full, %zu in quick, %zu in record\n", path, cells[PROFILE_FULL], cells[PROFILE_QUICK],
               cells[PROFILE_RECORD]);
    study_free(study);
    return right;
}

int check_main(int argc, char **argv)
{
    const struct argp argp = {.args_doc = "EXPERIMENT.yaml|DIR...",
                              .doc = "Checks experiment files under all profiles and prints the sizes of their grids. "
                                     "Of a folder with recorded results, it checks that the run records and the CSV "
                                     "files agree, and that all rows are of one kind of machine."};
    int at = argc;
    options_parse(&argp, argc, argv, ARGP_NO_ARGS | ARGP_IN_ORDER, &at, NULL);
    enum exit_code code = at < argc ? EXIT_OK : EXIT_USAGE;
    if (at == argc)
        fputs("tilelab check: name an experiment, for example experiments/smoke.yaml\n", stderr);
    struct yaml **opened = memory_allocate((size_t)argc, sizeof *opened);
    for (int i = at; i < argc; i++)
        opened[i] = folder_exists(argv[i]) ? NULL : study_file_open(study_file_path(argv[i]));
    for (; at < argc; at++)
        if (!(folder_exists(argv[at]) ? check_folder(argv[at]) : check_file(opened[at], study_file_path(argv[at]))))
            code = EXIT_USAGE;
    free(opened);
    return code;
}
