/* `tilelab list`: the variants, and which of them run here.
 * SPDX-License-Identifier: MIT */
#include "cell.h"
#include "commands.h"
#include "backend/backend.h"

#include <argp.h>

int list_main(int argc, char **argv)
{
    static const char doc[] =
        "Lists the variants in the order of legends: name, precisions, summary and source. A variant that "
        "does not run here has a second line that says why. PATTERN is like \"matmul/omp-*\".";
    const struct argp argp = {.args_doc = "[PATTERN]", .doc = doc};
    int at = argc;
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, ARGP_NO_ARGS | ARGP_IN_ORDER, &at, NULL);
    const char *pattern = at < argc ? argv[at] : "*";
    size_t count, shown = 0;
    const struct entry *entries = registry(&count);
    for (size_t i = 0; i < count; i++) {
        const struct entry *entry = &entries[i];
        if (entry->problem->hidden || !registry_matches(entry, pattern))
            continue;
        char precisions[32];
        cell_precisions_print(entry->meta->precisions, precisions, sizeof precisions);
        const struct cell cell = {.entry = entry, .precision = F32};
        const char *missing = backend_of(&cell)->missing(&cell);
        printf("%-28s %-12s %s (%s)\n", entry->name, precisions, entry->meta->summary, entry->meta->source);
        if (missing)
            printf("%-28s %-12s not here: %s\n", "", "", missing);
        shown++;
    }
    if (shown > 0)
        return EXIT_OK;
    fprintf(stderr, "tilelab: no variant matches '%s'\n", pattern);
    return EXIT_USAGE;
}
