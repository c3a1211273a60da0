/* What a worker uses of a backend: memory, copies, runs and their times. The supervisor runs no variant, and has no use
 * for it.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BACKEND_BACKEND_WORKER_H
#define TILELAB_BACKEND_BACKEND_WORKER_H

#include "registry.h"
#include "repeats.h"
#include "machine/energy.h"
#include "machine/nvml.h"

struct backend_setup; /* backend.h */

/* Times of one block of repetitions; NAN: not measured. */
struct backend_times {
    double kernel_s;      /* all repetitions together */
    double clock_hz;      /* GPU: SM clock right after the block */
    double temperature_c; /* GPU: right after the block */
    bool throttled;
    bool capped;    /* a GPU was at its power limit */
    bool disturbed; /* other programs took time from the ranks of a team */
};

/* Notes what NVML tells of a GPU that has just ended a block. */
static inline void backend_times_note_gpu(struct backend_times *times)
{
    times->clock_hz = nvml_sm_clock_hz();
    times->temperature_c = nvml_temperature_c();
    times->throttled = nvml_throttled();
    times->capped = nvml_capped();
}

enum { BACKEND_TRANSIENT = 1 };

/* What the ranks of a team do with the operands of a cell, which lie in their memory alone. Each function returns 0,
 * or non-zero with job->error. */
struct backend_team {
    int (*fill)(struct job *job, enum inputs inputs, uint64_t seed); /* generates the inputs, unless they are there */
    int (*poison)(struct job *job);
    int (*judge)(struct job *job, struct verdict *verdict);
    int (*digest)(struct job *job, uint64_t *digest, double *norm2);
    double (*start_s)(void); /* how long the start of the team took */
};

struct backend_worker {
    /* Returns 0, or non-zero with `why`; BACKEND_TRANSIENT: the machine failed, so that another try may work; -1: the
     * library is of no use. `known`: a worker with this setup was opened before, so that what needs a check only once
     * has had it. */
    int (*open)(const struct backend_setup *setup, bool known, char *why, size_t size);
    /* Makes the library use the threads of its setup again, whatever a variant has told it. NULL: nothing. */
    void (*reset)(void);
    /* Memory on the device. These are NULL if the backend has none: variants then use the host's operands. */
    void *(*allocate)(size_t bytes);
    void (*release)(void *memory);
    int (*upload)(void *device, const void *host, size_t bytes);                 /* synchronous; 0 or non-zero */
    int (*download)(void *host, const void *device, size_t first, size_t bytes); /* from byte `first` on */
    /* Page-locks memory of the host, so that the device copies it by itself, or makes it pageable again. NULL: the
     * backend cannot; its line in backends.def has no host_memory. */
    int (*pin)(void *host, size_t bytes, bool pinned);
    /* Bytes of the largest cache between the device's memory and its kernels. NULL: operands lie in host memory. */
    int64_t (*cache_bytes)(void);
    /* Seconds that the last upload or download took by the device's own clock. NULL: the host's clock times it. */
    double (*copy_s)(void);
    int (*poison)(void *device, size_t bytes);             /* fills with 0xFF bytes */
    int (*copy)(void *to, const void *from, size_t bytes); /* within the device */
    /* Negates `count` elements of a precision, `stride` elements apart, from element `first` on; zeros and NaN keep
     * their bits. The same elements of `host` are negated already, so that they may also be copied. */
    int (*negate)(void *device, const void *host, int64_t precision, int64_t first, int64_t count, int64_t stride);
    /* Fills what a job has from this backend (blas, stream), and calls the variant's prepare. Returns 0, or non-zero
     * with job->error. */
    int (*prepare)(struct job *job);
    /* Calls the variant's run; complete on return. `times`: NULL means do nothing but the runs. */
    int (*run)(struct job *job, const struct repeats *repeats, struct backend_times *times);
    /* Runs an empty kernel of so many blocks, for a profiler to see; 0, or non-zero with `why`. NULL: the profiler does
     * not know this backend's kernels. */
    int (*mark)(int blocks, char *why, size_t size);
    void (*finish)(struct job *job);
    const struct backend_team *team; /* NULL: cells run in this process, on the operands of the worker */
    bool (*poisoned)(void);          /* whether an error is sticky: the worker is then of no further use */
    /* Whether the library that is open keeps threads beside OpenMP's team. NULL: it has no library. */
    bool (*has_own_threads)(void);
    /* How to measure the energy of the device that is open. NULL: nothing tells it. */
    const struct energy_meter *energy;
};

#endif
