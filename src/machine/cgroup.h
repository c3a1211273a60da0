/* What the process's control groups allow it.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_MACHINE_CGROUP_H
#define TILELAB_MACHINE_CGROUP_H

#include <stdint.h>

/* The tightest limits of the own group and all above it, version 1 and 2: processor time in cores
 * and memory in bytes; 0: no limit. `root` as for host_read. */
void cgroup_limits(const char *root, double *cores, int64_t *memory_bytes);

#endif
