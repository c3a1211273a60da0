/* Where a variant runs. The supervisor asks `missing`; all else is called in a worker.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BACKEND_BACKEND_H
#define TILELAB_BACKEND_BACKEND_H

#include "registry.h"
#include "repeats.h"

struct backend_setup {
    int threads;         /* CPU threads; 0 for a GPU */
    const char *library; /* blas: its name */
    bool known;          /* a worker like this one started before: what needs checking once has been */
};

/* Times of one block of repetitions; NAN: not measured. */
struct backend_times {
    double kernel_s; /* all repetitions together */
    double clock_hz; /* GPU: SM clock right after */
    bool throttled;
};

struct backend {
    /* Why no cell of this kind runs on this machine, as one sentence with the remedy, or NULL. Cheap; the process stays
     * free of driver state (a GPU is looked at by a child process, once). */
    const char *(*missing)(const struct cell *cell);
    /* Bytes of memory that operands may take on the device, 0: host memory. */
    int64_t (*memory_bytes)(void);
    /* Name of the device for the record ("NVIDIA H200"); CPU: the model name. */
    const char *(*device)(void);

    /* In the worker. 0, or non-zero with `why`. */
    int (*open)(const struct backend_setup *setup, char *why, size_t size);
    /* Device operands; NULL members on the CPU: the host's are used as they are. */
    void *(*allocate)(size_t bytes);
    void (*release)(void *memory);
    int (*upload)(void *device, const void *host, size_t bytes); /* synchronous; 0 or non-zero */
    int (*download)(void *host, const void *device, size_t bytes);
    int (*poison)(void *device, size_t bytes);             /* 0xFF bytes */
    int (*copy)(void *to, const void *from, size_t bytes); /* within the device */
    /* Calls of the variant's functions for this backend (fills job->blas, job->stream). 0 or non-zero, job->error. */
    int (*prepare)(struct job *job);
    /* Complete on return; timed, unless `times` is NULL: then it does nothing but the runs. */
    int (*run)(struct job *job, const struct repeats *repeats, struct backend_times *times);
    /* A GPU: an empty kernel of so many blocks, for a profiler to see; 0 or non-zero with `why`. */
    int (*mark)(int blocks, char *why, size_t size);
    void (*finish)(struct job *job);
    bool (*poisoned)(void); /* a sticky error: this worker is of no further use */
};

extern const struct backend backend_cpu, backend_blas, backend_cuda;
const struct backend *backend_of(const struct cell *cell);

#endif
