/* Counting cells under Nsight Compute.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COUNTERS_PROFILER_H
#define TILELAB_COUNTERS_PROFILER_H

#include "counters.h"
#include "packages.h"
#include "results/result.h"

#define COUNTERS_REFUSED "the driver lets only the administrator read performance counters (ERR_NVGPUCTRPERM)"
#define COUNTERS_REFUSED_REMEDY \
    "run as root or with CAP_SYS_ADMIN (docker run --cap-add=SYS_ADMIN), or let an administrator " \
    "set the driver module option NVreg_RestrictProfilingToAdminUsers=0"
#define NCU_REMEDY \
    "Nsight Compute, part of the CUDA Toolkit (Debian, Ubuntu: sudo apt-get install -y " PACKAGE_ncu \
    "), with its ncu in PATH"

/* A cell to count. */
struct counted {
    struct cell cell;
    enum status status; /* ok, skipped (nothing can be counted here) or failed */
    char reason[600];   /* of an ok one: which counts are missing, or empty */
    struct counts counts;
    bool decided; /* the three above hold */
    bool ended;   /* its launch is over, with that status and reason; the counts are still to come */
};

/* Where ncu is, and its version; false if it is nowhere. */
bool profiler_find(char *path, size_t path_size, char *version, size_t version_size);

/* Launches and counts all cells that are not decided, with the inputs of `seed`; `tell` (or NULL) hears of each that
 * begins. A cell that ends the profiler costs itself: the others are tried again without it. All cells are decided on
 * return, unless pool_interrupted was set: then false. */
bool profiler_count(const char *ncu, struct counted *cells, size_t count, uint64_t seed,
                    void (*tell)(const struct cell *cell));

#endif
