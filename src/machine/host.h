/* The machine: facts for the record, limits for the schedule.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_MACHINE_HOST_H
#define TILELAB_MACHINE_HOST_H

#include "variant.h"

enum { HOST_CORES_MAX = 4096 };

struct host {
    char cpu_model[128], vendor[32], architecture[16], kernel[64], os[96];
    int cores;                                  /* physical cores usable: affinity mask and cgroup quota applied */
    int cores_allowed;                          /* by the affinity mask alone */
    int cores_online, sockets, smt, numa_nodes; /* cores_online: physical cores of the machine */
    int core_cpu[HOST_CORES_MAX];               /* one logical CPU a usable physical core, in binding order */
    double quota_cores;                         /* cpu.max, or 0: none */
    int64_t memory_bytes, memory_available_bytes, memory_limit_bytes; /* limit: cgroup memory.max, or 0 */
    int64_t l1d_bytes, l2_bytes, l3_bytes; /* of the first core; l3 may belong to the whole host */
    int l3_cpus;                           /* logical CPUs that share that l3 */
    double nominal_ghz;                    /* 0: not told */
    char governor[32];                     /* empty: not told */
    char simd[64];                         /* "avx2 avx512" */
    int64_t isa_best;                      /* enum isa */
};

/* Reads /proc, /sys and /etc/os-release. `root` is "" or the folder of fake ones for tests; the affinity mask is then
 * that of its /proc/self/status, else the one that the process was started with. host_get: this machine, read once. */
const struct host *host_get(void);
void host_read(struct host *host, const char *root);

/* What a core has of the caches; of an l3, its part among all CPUs that share it, also those of other users. */
struct caches host_caches(const struct host *host);

/* How many cores are usable and what limits them: "1 of 8 cores (control group: 1.5 cores)". Returns text. */
const char *host_cores_text(const struct host *host, char *text, size_t size);
/* The model name was replaced by a hypervisor's general one ("AMD EPYC"): it names no model. */
bool host_model_masked(const struct host *host);

/* Binds the calling process to the first `threads` usable cores; before any library makes threads. 0, or -1 with
 * errno: EINVAL for more threads than cores. */
int host_bind(int threads);

/* Undoes what a user's OMP_PROC_BIND and the like would do to a worker: unsets the variables that bind threads or
 * count them, and restores the affinity mask that the process was started with. Call it between fork and exec. */
void host_clean_environment(void);

#endif
