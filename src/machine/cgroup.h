/* What its control groups allow this process.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_MACHINE_CGROUP_H
#define TILELAB_MACHINE_CGROUP_H

#include <stdint.h>

/* Reads the tightest limits that the process's control group and all groups above it set, in versions 1 and 2:
 * processor time in cores, and memory in bytes. 0 means no limit. `root` is as for host_read. */
void cgroup_limits(const char *root, double *cores, int64_t *memory_bytes);

#endif
