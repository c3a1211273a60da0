/* Loops on all cores that this process may use. They depend neither on OpenMP nor on the cores to which a worker is
 * bound.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_VERIFY_PARALLEL_H
#define TILELAB_VERIFY_PARALLEL_H

#include <stdint.h>

/* Calls body(begin, end, context) on disjoint ranges that cover [0, count). There are as many threads as the process
 * had cores when parallel_init() was called. If threads cannot be made, the loop runs on fewer. */
void parallel_for(int64_t count, void (*body)(int64_t begin, int64_t end, void *context), void *context);
/* Remembers the cores for parallel_for(). The caller must call this before it binds the process to fewer cores. */
void parallel_init(void);

#endif
