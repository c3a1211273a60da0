/* What the CPU backend shares with the BLAS backend: both run a variant's own code in this process, on host memory.
 * The functions are members of struct backend, which says what they do.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BACKEND_CPU_H
#define TILELAB_BACKEND_CPU_H

#include "backend/backend.h"
#include "backend/backend_worker.h"

static const double CPU_WARM_S = 0.1;

const char *cpu_missing(const struct cell *cell);
int64_t cpu_memory_bytes(const struct cell *cell);
double cpu_least_s(const struct cell *cell);
const char *cpu_device(const struct cell *cell);
int cpu_open(const struct backend_setup *setup, bool known, char *why, size_t size);
/* Leaves job->blas as it is. */
int cpu_prepare(struct job *job);
int cpu_run(struct job *job, const struct repeats *repeats, struct backend_times *times);
void cpu_finish(struct job *job);
bool cpu_poisoned(void);

#endif
