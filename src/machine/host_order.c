/* The order in which cores are bound.
 * SPDX-License-Identifier: MIT */
#include "host_parts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The place of a CPU among the first `count` of a list; -1: it is not there. */
static int place_of(const int *cpu, int count, long wanted)
{
    int at = count - 1;
    while (at >= 0 && cpu[at] != wanted)
        at--;
    return at;
}

bool host_order(struct host *host, const char *list)
{
    int ordered[HOST_CORES_MAX], count = 0;
    while (list != NULL && count < host->cores_allowed && isdigit((unsigned char)*list)) {
        char *end;
        const long cpu = strtol(list, &end, 10);
        if (place_of(host->core_cpu, host->cores_allowed, cpu) < 0 || place_of(ordered, count, cpu) >= 0)
            return false;
        ordered[count++] = (int)cpu;
        list = *end == ',' ? end + 1 : end;
    }
    if (list == NULL || *list != '\0' || count < host->cores_allowed)
        return false;
    memcpy(host->core_cpu, ordered, (size_t)count * sizeof *ordered);
    return true;
}
