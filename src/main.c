/* tilelab: reproducible performance experiments for dense kernels.
 * SPDX-License-Identifier: MIT */
#include "build_info.h"
#include "registry.h"
#include "backend/blas_describe.h"
#include "backend/cuda.h"
#include "base/suggest.h"
#include "command/commands.h"
#include "measure/worker.h"
#include "query/query.h"
#include "verify/parallel.h"

#include <string.h>

static const struct verb {
    const char *name;
    int (*main)(int argc, char **argv);
    const char *help; /* NULL: the program calls this verb itself */
} verbs[] = {
    {"run", run_main, "measure the cells whose results are missing or stale"},
    {"plan", plan_main, "show what run would measure, and how long it would take"},
    {"show", show_main, "show the results of an experiment as a table"},
    {"check", check_main, "check experiment files"},
    {"list", list_main, "list the variants, and which of them run here"},
    {"verify", verify_main, "run and verify variants in one process, without timing"},
    {"banks", banks_main, "compute the bank conflicts and sectors of a CUDA variant, without a GPU"},
    {"count", count_main, "read the hardware counters of the GPU for the cells of experiments"},
    {"query", query_main, "run SQL over results: tables, figures, numbers for prose"},
    {"cite", cite_main, "print a BibTeX entry with the commit and a hash of the data"},
    {"doctor", doctor_main, "tell what was found, what is missing, and how to install it"},
    {"columns", columns_main, "print the dictionary of the CSV columns"},
    {"worker", worker_main, NULL},
    {"count-launch", count_launch_main, NULL},
    {"describe-cuda", cuda_describe_main, NULL},
    {"describe-blas", blas_describe_main, NULL},
};

static void usage(FILE *out)
{
    fputs("tilelab " TILELAB_VERSION ": reproducible performance experiments for dense kernels\n\n"
          "usage: tilelab VERB [arguments]; tilelab VERB --help says more\n\n",
          out);
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (verbs[i].help)
            fprintf(out, "  %-8s %s\n", verbs[i].name, verbs[i].help);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        usage(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0) {
        usage(stdout);
        return EXIT_OK;
    }
    if (strcmp(argv[1], "--version") == 0) {
        puts("tilelab " TILELAB_VERSION " " TILELAB_COMMIT);
        return EXIT_OK;
    }
    parallel_init();
    const char *names[sizeof verbs / sizeof *verbs];
    size_t shown = 0;
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        if (strcmp(argv[1], verbs[i].name) == 0) {
            /* Usage lines and the command that goes on then read as the user typed. */
            static char name[48];
            snprintf(name, sizeof name, "tilelab %s", verbs[i].name);
            argv[1] = name;
            return verbs[i].main(argc - 1, argv + 1);
        }
        if (verbs[i].help)
            names[shown++] = verbs[i].name;
    }
    const char *near = suggest_name(argv[1], names, shown);
    fprintf(stderr, "tilelab: there is no verb '%s'%s%s%s\n", argv[1], near ? "; did you mean '" : "", near ? near : "",
            near ? "'?" : "");
    return EXIT_USAGE;
}
