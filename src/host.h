/* The machine: facts for the record, limits for the schedule.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_HOST_H
#define TILELAB_HOST_H

#include "grid.h"
#include <jansson.h>

enum { HOST_CORES_MAX = 4096 };

struct host {
    char cpu_model[128], vendor[32], architecture[16], kernel[64], os[96];
    int cores;                 /* physical cores usable: affinity mask and cgroup quota applied */
    int cores_online, sockets, smt, numa_nodes;
    int core_cpu[HOST_CORES_MAX]; /* one logical CPU a usable physical core, in binding order */
    double quota_cores;        /* cpu.max, or 0: none */
    int64_t memory_bytes, memory_available_bytes, memory_limit_bytes; /* limit: cgroup memory.max, or 0 */
    int64_t l1d_bytes, l2_bytes, l3_bytes; /* of the first core; l3 may belong to the whole host */
    double nominal_ghz;        /* 0: not told */
    char governor[32];         /* empty: not told */
    char simd[64];             /* "avx2 avx512" */
    int64_t isa_best;          /* enum isa */
};

/* Reads /proc, /sys, hwloc. `root` is "" or the folder of a fake /proc and /sys for tests. Computed once. */
const struct host *host_get(void);
void host_read(struct host *host, const char *root);

/* Binds the calling process to the first `threads` usable cores; before any library makes threads. */
int host_bind(int threads);

/* First 16 hex digits of what a result depends on: CPU model, cores, quota, memory, GPU name and driver; never a name
 * of the machine. */
void host_fingerprint(char hex[17]);

/* The run record: machine, compilers and flags, libraries and their kernels, GPU and driver, git commit; of the
 * environment only OMP_, OPENBLAS_, BLIS_, MKL_, CUDA_VISIBLE_DEVICES. New reference. */
json_t *host_record(void);

/* `tilelab doctor`: what was found, what is missing, what that costs, the line that installs it. Returns exit code. */
int doctor_main(FILE *out);

#endif
