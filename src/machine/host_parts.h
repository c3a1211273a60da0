/* The parts of host.h that are in files of their own.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_MACHINE_HOST_PARTS_H
#define TILELAB_MACHINE_HOST_PARTS_H

#include "host.h"

#define CPU "/sys/devices/system/cpu"
/* The variable with the order of host_arrange, for the processes of a run. */
#define HOST_ORDER "TILELAB_CORE_ORDER"

/* Reads the names of processor, system and kernel, the clock, the governor and the instruction sets. It needs
 * host->core_cpu[0]. */
void host_read_processor(struct host *host, const char *root);

/* Puts the CPUs of host->core_cpu into the order of a list, "0,2,1,3". A list that is NULL, or does not hold each of
 * these CPUs once, changes nothing and is answered with false. */
bool host_order(struct host *host, const char *list);

#endif
