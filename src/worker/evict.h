/* Taking operands out of the caches, for cells that begin with cold caches.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_WORKER_EVICT_H
#define TILELAB_WORKER_EVICT_H

#include <stddef.h>

/* Writes the lines of data[size] back to memory, and removes them from the caches of all cores. A processor without an
 * instruction for this reads other memory instead, twice as large as its caches. Returns 0 or ENOMEM. */
int evict_host(const void *data, size_t size);

#endif
