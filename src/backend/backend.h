/* A backend is where a variant runs: memory, copies, timing. Nothing outside of this folder knows one backend from
 * another. The supervisor calls the functions from `missing` to `environment`; a worker calls all others.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BACKEND_BACKEND_H
#define TILELAB_BACKEND_BACKEND_H

#include "registry.h"
#include "repeats.h"
#include "base/hash.h"

struct json_t; /* a value of a run record, by jansson */

/* What a worker is started for. Cells with the same setup share a worker. */
struct backend_setup {
    enum backend_id backend;
    int device;       /* of the backend, counted from 0 */
    int threads;      /* CPU threads; 0 on a GPU */
    char library[24]; /* MADE_LIBRARIES and MADE_TEAM: its name; else empty */
    int members;      /* MADE_TEAM: MPI ranks, or GPUs; else 0 */
    bool one_process; /* MADE_TEAM: one process drives all GPUs */
    bool judges;      /* it runs no variant, and verifies what the others have written */
};

/* Times of one block of repetitions; NAN: not measured. */
struct backend_times {
    double kernel_s; /* all repetitions together */
    double clock_hz; /* GPU: SM clock right after the block */
    bool throttled;
    bool capped;    /* a GPU was at its power limit */
    bool disturbed; /* other programs took time from the members of a team */
};

enum { BACKEND_ACCIDENT = 1 };

/* What the members of a team do with the operands of a cell, which lie in their memory alone. Each function returns 0,
 * or non-zero with job->error. */
struct backend_team {
    int (*fill)(struct job *job, enum inputs inputs, uint64_t seed); /* generates the inputs, unless they are there */
    int (*poison)(struct job *job);
    int (*judge)(struct job *job, struct verdict *verdict);
    int (*digest)(struct job *job, uint64_t *digest, double *norm2);
    double (*start_s)(void); /* how long the start of the team took */
};

struct backend {
    double warm_s;       /* seconds of runs that raise the clock of the idle device, once in a worker */
    bool reserves_space; /* its driver reserves more address space than a limit of memory allows */

    /* Why no cell of this kind runs on this machine, as one sentence with the remedy; NULL if cells run. The call is
     * cheap. It leaves no driver state in this process: a child process looks at a GPU, once. */
    const char *(*missing)(const struct cell *cell);
    /* Bytes of memory that operands may take on the cell's device; 0: they lie in host memory. */
    int64_t (*memory_bytes)(const struct cell *cell);
    /* Name of the cell's device for the record: "NVIDIA H200", or the model name of the CPU. Without a cell: of the
     * first device. Empty: there is no device. */
    const char *(*device)(const struct cell *cell);
    /* How many devices there are, and one line about a device for `tilelab list --devices`. NULL: there is one. */
    int (*devices)(void);
    void (*device_line)(int number, char *text, size_t size);
    /* What the cell's device is, for a backend of KIND_ANY; else NULL. */
    enum registry_kind (*kind)(const struct cell *cell);
    /* How many independent sums keep the whole device busy; NULL: the backend has no such number. */
    int64_t (*sums)(const struct cell *cell);
    /* The least time that a run of a cell can take on the cell's device, by what processors of its kind do in a cycle:
     * what is faster was not computed. NULL, or 0: not known. */
    double (*least_s)(const struct cell *cell);
    /* Writes what all results of this machine depend on through this backend, for the hash of the machine. NULL:
     * nothing. */
    void (*fingerprint)(char *text, size_t size);
    /* Writes what tells the first device from all others of its kind, as a serial number; empty: not known. It leaves
     * the process only as part of a hash. NULL: the backend has no such number. */
    void (*serial)(char *text, size_t size);
    /* What the run record says of the backend's devices, and under which key; the caller gets the reference. NULL: the
     * backend has no device of its own. */
    const char *record_key;
    struct json_t *(*record)(void);
    /* Prints the backend's section of `tilelab doctor`. NULL: it has none. */
    void (*doctor)(FILE *out);
    /* The verb describe-<name>, which a child process runs to look at devices or libraries. NULL: there is none. */
    int (*describe)(int argc, char **argv);
    /* Writes the first 16 hexadecimal digits of the hash of what a cell's result depends on beside its source: its
     * library. NULL: nothing. */
    void (*identity)(const struct cell *cell, char hex[HASH_SHORT_SIZE]);
    /* Sets environment variables of a worker to come; called between fork and exec. NULL: none. */
    void (*environment)(const struct backend_setup *setup);

    /* Returns 0, or non-zero with `why`; BACKEND_ACCIDENT: the machine failed, so that another try may work; -1: the
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
};

#define BACKEND(id, name, suffix, kind, made, devices, axes) extern const struct backend backend_##name;
#include "backends.def"
#undef BACKEND

const struct backend *backend_of(const struct cell *cell);
const struct backend *backend_get(enum backend_id id);
/* What a cell runs on: KIND_CPU or KIND_GPU. */
enum registry_kind backend_kind(const struct cell *cell);

/* Whether operands lie in memory of the backend's own, so that they are copied there and back. */
static inline bool backend_has_memory(const struct backend *backend)
{
    return backend->allocate != NULL;
}

/* The number of the device that a cell names, counted from 0; 0 without a cell. */
int backend_device(const struct cell *cell);

/* Bytes of a cell's operands. The members of a team generate an operand anew before each run, where other backends keep
 * a copy of it. */
int64_t backend_bytes(const struct cell *cell);
/* How many of these bytes lie in the memory of the host. */
int64_t backend_host_bytes(const struct cell *cell);

/* How many bytes the judge takes in the memory of the host: its own inputs, and the output that it looks at. */
int64_t backend_judge_bytes(const struct cell *cell);

/* The setup of the worker that runs a cell. */
struct backend_setup backend_setup(const struct cell *cell);
bool backend_same_setup(const struct backend_setup *a, const struct backend_setup *b);

#endif
