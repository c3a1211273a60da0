/* The names of what became of a cell.
 * SPDX-License-Identifier: MIT */
#include "status.h"

#include <stddef.h>

const char *const status_names[] = {"ok",       "skipped",  "wrong",   "failed",   "crash",
                                    "timeout",  "exit",     "memory",  "replayed", "impossible",
                                    "unstable", "diverged", "stalled", "limit",    NULL};
