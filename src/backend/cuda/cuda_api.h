/* What tilelab-cuda.so offers the runner, in plain C. dlsym("tilelab_cuda") finds it.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BACKEND_CUDA_API_H
#define TILELAB_BACKEND_CUDA_API_H

#include "backend/clocks.h"
#include "backend/repeats.h"

/* Facts of one device; -1 or empty: not known. */
struct cuda_device {
    char name[64];
    int major, minor, multiprocessors, warp_size;
    int64_t memory_bytes, l2_bytes, shared_per_block_bytes, shared_per_block_optin_bytes, shared_per_sm_bytes;
    int registers_per_block, threads_per_block, threads_per_sm;
    int clock_khz, memory_clock_khz, memory_bus_bits; /* nominal */
    int ecc;                                          /* 1: on */
    int driver, runtime;                              /* 13000 = 13.0 */
    int built_for;    /* lowest compute capability that the kernels were compiled for; 90 = 9.0 */
    char pci_bus[20]; /* finds the same device in NVML; not recorded */
    /* From NVML, filled by cuda_discover.c. */
    int64_t memory_free_bytes;
    int power_limit_w;
    char driver_version[32]; /* "580.65.06" */
};

/* The operands that a run writes. The device can look at some bytes of each. */
struct cuda_outputs {
    size_t bytes[MAX_OPERANDS]; /* 0: the run does not write the operand */
    bool fresh[MAX_OPERANDS];   /* the operand holds nothing before the run */
};

/* What was seen of one timed block. */
struct cuda_block {
    struct clocks clocks;
    bool looked; /* at the outputs, between the launch and the first event */
    bool early;  /* outputs changed before the first event, by work on another stream */
    bool late;   /* outputs changed after the last event, by work on another stream or launched by another thread */
};

struct cuda_api {
    int version; /* CUDA_API_VERSION: the runner refuses another version */
    /* A function that returns int returns 0, or non-zero with last_error() set. */
    int (*open)(int device, void **stream);
    int (*describe)(int device, struct cuda_device *to); /* makes no context */
    int (*count)(int *devices);
    void *(*allocate)(size_t bytes); /* NULL on failure */
    void (*release)(void *memory);
    int (*upload)(void *to, const void *from, size_t bytes); /* complete on return, as are the next three */
    int (*download)(void *to, const void *from, size_t bytes);
    int (*fill)(void *to, int byte, size_t bytes);
    int (*copy)(void *to, const void *from, size_t bytes); /* within the device */
    /* Negates `count` elements of a precision, `stride` elements apart, from element `first` on. */
    int (*negate)(void *memory, int64_t precision, int64_t first, int64_t count, int64_t stride);
    int (*pin)(void *host, size_t bytes, bool pinned); /* page-locks writable host memory, or undoes that */
    /* Runs launch(job) as `repeats` says, and waits until the whole device is idle. With `block` the runs are timed:
     * they lie between two events of the job's stream. With `outputs` too, the stream is held for a millisecond before
     * the first event, to see whether outputs change meanwhile. If launch itself fails, job->error says why. */
    int (*run)(int (*launch)(struct job *), struct job *job, const struct repeats *repeats,
               const struct cuda_outputs *outputs, struct cuda_block *block);
    /* Undoes what a variant has changed of the device's state, as limits and the use of the L2 cache. */
    void (*reset)(void);
    /* Runs the empty kernel tilelab_marker with so many blocks, for a profiler to see. */
    int (*mark)(int blocks);
    bool (*sticky)(void); /* whether the context is lost */
    const char *(*last_error)(void);
};
enum { CUDA_API_VERSION = 6 };

typedef const struct cuda_api *(*tilelab_cuda_function)(void);

#endif
