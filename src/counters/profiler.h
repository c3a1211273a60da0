/* Counting cells with the profiler Nsight Compute (ncu).
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COUNTERS_PROFILER_H
#define TILELAB_COUNTERS_PROFILER_H

#include "counters.h"
#include "packages.h"
#include "machine/nvml.h"
#include "results/result.h"

#define NCU_REMEDY \
    "Nsight Compute, part of the CUDA Toolkit (Debian, Ubuntu: " PACKAGE_INSTALL PACKAGE_ncu "), with its ncu in PATH"

/* A cell to count. */
struct counted {
    struct cell cell;
    enum status status; /* ok, skipped if nothing can be counted on this machine, or failed */
    char reason[600];   /* with status ok: which counts are missing, or empty */
    struct counts counts;
    bool decided; /* status, reason and counts are final */
    bool ended;   /* the launch ended with this status and reason; the counts are still to be read */
};

/* Finds ncu and its version. False if this machine has no ncu. */
bool profiler_find(char *path, size_t path_size, char *version, size_t version_size);

/* Launches and counts all cells that are not decided, with the inputs of `seed`. `tell` is called for each cell that
 * begins; it may be NULL. If a cell ends the profiler, that cell fails and the others are counted again without it.
 * True: all cells are decided. False: pool_interrupted was set. */
bool profiler_count(const char *ncu, struct counted *cells, size_t count, uint64_t seed,
                    void (*tell)(const struct cell *cell));

#endif
