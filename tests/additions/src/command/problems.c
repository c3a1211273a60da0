/* `tilelab problems`: the problems and their formulas.
 * SPDX-License-Identifier: MIT */
#include "commands.h"
#include "options.h"
#include "registry.h"

#include <stdio.h>

int problems_main(int argc, char **argv)
{
    static const struct argp argp = {.doc = "Lists the problems and their formulas."};
    size_t count;
    const struct entry *entry = registry(&count);
    options_parse(&argp, argc, argv, 0, NULL, NULL);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || entry[i].problem != entry[i - 1].problem)
            printf("%s: %s\n", entry[i].problem->name, entry[i].problem->formula);
    return EXIT_OK;
}
