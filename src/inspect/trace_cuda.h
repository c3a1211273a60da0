/* Traces a CUDA kernel: compiles it so that its thread blocks tell their work, and reads what they told.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_INSPECT_TRACE_CUDA_H
#define TILELAB_INSPECT_TRACE_CUDA_H

#include "cell.h"
#include "recorder.h"
#include "registry.h"

#include <stddef.h>

/* The record of one launch: a lane for each thread block. */
struct trace_cuda {
    struct recorder_lane *lane;
    int lanes, side; /* side: rows of a tile */
    bool whole;      /* all events had room */
};

/* Compiles the kernel's file, as the program's own build was, into a shared object that cells find where their entry's
 * `objects` is `folder`. `root` is of rebuild_root. False with `why`. */
bool trace_cuda_compile(const struct entry *entry, const char *root, const char *folder, char *why, size_t size);
/* Takes the record of the cell's last launch. False with `why`. The caller calls trace_cuda_free in any case. */
bool trace_cuda_take(const struct cell *cell, struct trace_cuda *record, char *why, size_t size);
void trace_cuda_free(struct trace_cuda *record);
/* The name of a work in the record. */
const char *trace_cuda_name(uintptr_t work);

#endif
