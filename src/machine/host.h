/* The facts of this machine: processor, cores, caches, memory, and what limits them.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_MACHINE_HOST_H
#define TILELAB_MACHINE_HOST_H

#include "variant.h"

enum { HOST_CORES_MAX = 4096 };

struct host {
    char cpu_model[128], vendor[32], architecture[16], kernel[64], os[96];
    char cpu_id[48];              /* x86: "family 25, model 1", which a masked name does not hide; else empty */
    int cores;                    /* physical cores usable: affinity mask and cgroup quota applied */
    int cores_allowed;            /* by the affinity mask alone */
    int cores_online;             /* physical cores of the machine */
    int sockets, smt, numa_nodes; /* smt: logical CPUs a core */
    int core_cpu[HOST_CORES_MAX]; /* a logical CPU of each usable physical core, in binding order: see host_arrange */
    double quota_cores;           /* cpu.max of the control group; 0: none */
    int64_t memory_bytes, memory_available_bytes,
        memory_limit_bytes;                /* limit: memory.max of the control group; 0: none */
    int64_t l1d_bytes, l2_bytes, l3_bytes; /* of the first core; l3: the whole cache, which others may share */
    int l3_cpus;                           /* logical CPUs that share that l3 */
    double nominal_ghz;                    /* 0: not known */
    char governor[32];                     /* empty: not known */
    char simd[64];                         /* "avx2 avx512" */
    int64_t isa_best;                      /* enum isa */
};

/* This machine, read once a process. */
const struct host *host_get(void);

/* Reads /proc, /sys and /etc/os-release. `root` is "", or for tests a folder with fake files. With "", the affinity
 * mask is the mask that the process was started with; else it is the mask in the fake /proc/self/status. */
void host_read(struct host *host, const char *root);

/* What one core has of the caches. Of a third level the core has an equal part, shared among all cores below it. */
struct caches host_caches(const struct host *host);

/* Writes how many cores are usable and what limits them: "1 of 8 cores (control group: 1.5 cores)". Returns `text`. */
const char *host_cores_text(const struct host *host, char *text, size_t size);

/* Whether the model's name is only a hypervisor's general name, "AMD EPYC". */
bool host_model_masked(const struct host *host);

/* Binds the calling process to the first `threads` usable cores. Call it before any library makes threads. Returns 0,
 * or -1 with errno, which is EINVAL for more threads than cores. */
int host_bind(int threads);
/* Binds the calling thread to one of the usable cores, counted from 0. Returns 0, or -1 with errno. */
int host_bind_to(int core);

/* Gives host->core_cpu of this process, and of those that it starts, another order: all CPUs of the list, each once. An
 * order that a user has set in TILELAB_CORE_ORDER stays. Returns whether the order was taken. */
bool host_arrange(const int *cpu, int count);

/* Keeps a user's OMP_PROC_BIND and similar variables away from a worker (see environment.h), and restores the affinity
 * mask that the process was started with. Call it between fork and exec. */
void host_clean_environment(void);

#endif
