/* A backend is where a variant runs: memory, copies, timing. Nothing outside of this folder knows one backend from
 * another.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BACKEND_BACKEND_H
#define TILELAB_BACKEND_BACKEND_H

#include "registry.h"
#include "base/hash.h"

struct json_t; /* a value of a run record, by jansson */

/* What a worker is started for. Cells with the same setup share a worker. */
struct backend_setup {
    enum backend_id backend;
    int device;       /* of the backend, counted from 0 */
    int threads;      /* CPU threads; 0 on a GPU */
    char library[24]; /* MADE_LIBRARIES and MADE_TEAM: its name; else empty */
    int team_size;    /* MADE_TEAM: MPI ranks, or GPUs; else 0 */
    bool one_process; /* MADE_TEAM: one process drives all GPUs */
    bool judges;      /* it runs no variant, and verifies what the others have written */
};

struct found;

/* What the supervisor uses of a backend, and any subcommand. A worker uses backend_worker.h. */
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
    /* What a backend has found that looks for several devices, see found.h; NULL: there is one device. `through` stands
     * before the platform of such a device, as "SYCL on ". */
    const struct found *(*discover)(void);
    const char *through;
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
    /* The subcommand describe-<name>, which a child process runs to look at devices or libraries. NULL: there is
     * none. */
    int (*describe)(int argc, char **argv);
    /* Writes the first 16 hexadecimal digits of the hash of what a cell's result depends on beside its source: its
     * library. NULL: nothing. */
    void (*identity)(const struct cell *cell, char hex[HASH_SHORT_SIZE]);
    /* Sets environment variables of a worker to come; called between fork and exec. NULL: none. */
    void (*environment)(const struct backend_setup *setup);

    const struct backend_worker *worker;
};

#define BACKEND(id, name, suffix, kind, made, devices, axes) extern const struct backend backend_##name;
#include "backends.def"
#undef BACKEND

const struct backend *backend_of(const struct cell *cell);
const struct backend *backend_get(enum backend_id id);
/* What a cell runs on: KIND_CPU or KIND_GPU. */
enum registry_kind backend_kind(const struct cell *cell);

/* Whether operands lie in memory of the backend's own, so that they are copied there and back. */
bool backend_has_memory(const struct backend *backend);
/* Whether a team of processes runs a cell, and keeps its operands. */
bool backend_is_team(const struct cell *cell);
/* Whether a backend can mark runs, so that a profiler finds them. */
bool backend_can_mark(enum backend_id id);

/* The number of the device that a cell names, counted from 0; 0 without a cell. */
int backend_device(const struct cell *cell);

/* Bytes of a cell's operands. The ranks of a team generate an operand anew before each run, where other backends keep
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
