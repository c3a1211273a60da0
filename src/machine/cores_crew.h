/* Threads that each have a CPU of their own, and work at the same time for a probe of the cores.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_MACHINE_CORES_CREW_H
#define TILELAB_MACHINE_CORES_CREW_H

#include <stddef.h>

/* A loop of multiply-adds in registers, which keeps the units of a core busy; reading of the thread's own memory. */
enum cores_work { CORES_FMA, CORES_READ };

struct cores_crew;

/* Starts a thread on each CPU of the list, which sleeps until there is work, and gives it so much memory to read. NULL
 * if the system refuses one of them. */
struct cores_crew *cores_crew_hire(const int *cpu, int cpus, size_t bytes);
void cores_crew_dismiss(struct cores_crew *crew);

/* Has the threads of these places in the list work at once, for so long. Returns the sum of their rates, in passes of
 * the loop a second. */
double cores_crew_rate(struct cores_crew *crew, enum cores_work work, const int *place, int places, double seconds);

#endif
