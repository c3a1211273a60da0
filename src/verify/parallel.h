/* Loops over all cores of this process's quota, independent of OpenMP and of the worker's binding.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_VERIFY_PARALLEL_H
#define TILELAB_VERIFY_PARALLEL_H

#include <stdint.h>

/* Calls body(begin, end, context) on disjoint ranges that cover [0, count), on as many threads as the process was
 * given at its start; serial if a thread cannot be made. */
void parallel_for(int64_t count, void (*body)(int64_t begin, int64_t end, void *context), void *context);
/* Remembers the cores for parallel_for; call before the process is bound to fewer. */
void parallel_init(void);

#endif
