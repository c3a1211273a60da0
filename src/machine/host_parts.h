/* Parts of host_read in files of their own.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_MACHINE_HOST_PARTS_H
#define TILELAB_MACHINE_HOST_PARTS_H

#include "host.h"

#define CPU "/sys/devices/system/cpu"

/* Processor, system and kernel names, clock, governor, instruction sets; needs core_cpu[0]. */
void host_read_processor(struct host *host, const char *root);

#endif
