/* The probe that measures how many threads gain on this machine, and which CPUs share a core; see cores.h.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_MACHINE_CORES_PROBE_H
#define TILELAB_MACHINE_CORES_PROBE_H

#include "cores.h"

/* Measures the rates of the usable cores for about one second, in a process of its own, so that this one gets no
 * threads. If CPUs share a core, the processes that are started from now on bind separate cores first; see
 * host_arrange. False if the probe could not measure; a second call returns what the first one did. */
bool cores_probe(void);

/* Measures so many CPUs of a list, in threads of this process that are bound to them. Each reads so many bytes.
 * `threads` of them may work at once. The caller has cleared the rates. False if the system refuses a thread. */
bool cores_probe_measure(const int *cpu, int cpus, int threads, size_t bytes, struct cores_rates *rates);

/* What the probe has found; NULL if it has not measured. */
const struct cores *cores_probe_found(void);

/* Writes which CPUs the probe has found to share a core: "0,1 2,3", or "". Returns `text`. */
const char *cores_probe_shared(char *text, size_t size);

#endif
