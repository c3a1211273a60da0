/* The names of what became of a cell.
 * SPDX-License-Identifier: MIT */
#include "status.h"

#include <string.h>

const char *const status_names[] = {"ok",       "skipped",  "wrong",   "failed",   "crash",
                                    "timeout",  "exit",     "memory",  "replayed", "impossible",
                                    "unstable", "diverged", "stalled", "limit",    NULL};

bool status_find(const char *text, size_t length, enum status *status)
{
    for (int i = 0; i < STATUSES; i++)
        if (strncmp(text, status_names[i], length) == 0 && status_names[i][length] == '\0') {
            *status = (enum status)i;
            return true;
        }
    return false;
}
