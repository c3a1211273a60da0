/* The part of host_read that is in a file of its own.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_MACHINE_HOST_PARTS_H
#define TILELAB_MACHINE_HOST_PARTS_H

#include "host.h"

#define CPU "/sys/devices/system/cpu"

/* Reads the names of processor, system and kernel, the clock, the governor and the instruction sets. It needs
 * host->core_cpu[0]. */
void host_read_processor(struct host *host, const char *root);

#endif
