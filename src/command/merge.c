/* `tilelab merge`: joins the folders of parts, of machines or of a class.
 * SPDX-License-Identifier: MIT */
#include "commands.h"
#include "options.h"
#include "base/memory.h"
#include "parts/merge.h"

#include <argp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { OPTION_INTO = 256, OPTION_BY_MACHINE, OPTION_BY_FOLDER };

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct merge *merge = state->input;
    switch (key) {
    case OPTION_INTO:
        merge->into = text;
        return 0;
    case OPTION_BY_MACHINE:
        merge->by_machine = true;
        return 0;
    case OPTION_BY_FOLDER:
        merge->by_folder = true;
        return 0;
    case ARGP_KEY_ARG:
        merge->folder[merge->folders++] = text;
        return 0;
    case ARGP_KEY_END:
        if (merge->folders == 0)
            argp_error(state, "name the folders to join, for example data/local/parts/*-of-8");
        if (!merge->into)
            argp_error(state, "name the folder that gets the results with --into");
        if (merge->by_machine && merge->by_folder)
            argp_error(state, "--by-machine and --by-folder exclude each other");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* A signal waits until the study at hand is whole. Many parts need many open files. */
static void prepare(void)
{
    struct rlimit files;
    sigset_t late;
    sigemptyset(&late);
    sigaddset(&late, SIGINT);
    sigaddset(&late, SIGTERM);
    sigprocmask(SIG_BLOCK, &late, NULL);
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
}

int merge_main(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"into", OPTION_INTO, "FOLDER", 0, "the folder that gets the results", 0},
        {"by-machine", OPTION_BY_MACHINE, 0, 0,
         "make a host of each kind of machine, FOLDER/machine-HASH, instead of refusing several", 0},
        {"by-folder", OPTION_BY_FOLDER, 0, 0, "make a host of each folder, FOLDER/NAME, as for the folders of a class",
         0},
        {0}};
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "DIR...",
        .doc = "Joins the results of parts that `tilelab run --part` measured. The order of the folders changes "
               "nothing, and the subcommand may be called again with more or fewer of them.\v"
               "The folders stay as they are. They must be of one kind of machine, and have measured each variant "
               "with one source. The exit code is 1 where parts or cells are missing, and 4 where folders cannot be "
               "joined."};
    struct merge merge = {.folder = memory_allocate((size_t)argc, sizeof *merge.folder)};
    options_parse(&argp, argc, argv, 0, NULL, &merge);
    prepare();
    const enum exit_code code = merge_folders(&merge);
    free(merge.folder);
    return code;
}
