/* Traces a kernel: runs it as it is and compiled to record its works, by turns.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_INSPECT_TRACE_H
#define TILELAB_INSPECT_TRACE_H

#include "timeline.h"

/* Runs a cell of a kernel that gcc or nvcc compiles from its file, in this process, and reads the timeline of its
 * fastest recorded run. The works of a CPU kernel are its functions. Two kinds of functions are not recorded and count
 * as work of their caller: those that a thread leaves so soon that records of them would take longer, and those of
 * kernels/common/, which take long to compile. A CUDA kernel tells its works, see trace_variant.cuh. False with `why`.
 * The caller calls timeline_free in any case. */
bool trace_cell(const struct cell *cell, struct timeline *timeline, char *why, size_t size);

#endif
