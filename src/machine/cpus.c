/* Sets of logical CPUs.
 * SPDX-License-Identifier: MIT */
#include "cpus.h"

#include <ctype.h>
#include <stdlib.h>

int cpus_parse(struct cpus *set, const char *list)
{
    int count = 0;
    while (isdigit((unsigned char)*list)) {
        char *end;
        const long first = strtol(list, &end, 10);
        const long last = *end == '-' ? strtol(end + 1, &end, 10) : first;
        for (long cpu = first; cpu <= last && cpu < CPUS_MAX; cpu++, count++)
            cpus_add(set, (int)cpu);
        list = *end == ',' ? end + 1 : end;
    }
    return count;
}
