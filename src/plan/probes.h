/* The probes that accompany an experiment: cells that measure the ceilings for its other cells.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_PLAN_PROBES_H
#define TILELAB_PLAN_PROBES_H

#include "grid.h"
#include "machine/host.h"

/* Appends probes to the grid, for each precision. For CPU cells: fma for every isa and number of threads, copy and read
 * for every number of threads. For GPU cells: fma, copy and read, and fma on tensor cores where a cell may use them. A
 * cell that the grid already holds is not added, and a probe gets no probes. */
void probes_append(struct grid *grid);

/* Whether a cell may run on tensor cores, so that their probe bounds it too. */
bool probes_uses_tensor_cores(const struct cell *cell);

/* The precision of the probes that bound a cell: of the numbers that its variant multiplies. */
int64_t probes_precision(const struct cell *cell);

/* Bytes of an array of the memory probes of the CPU. It is four times as large as the last-level cache, or twice as
 * large as a cache of 128 MiB or more, which many cores share. Where an eighth of the memory is less, that or 256 MiB
 * has to do, and the report tells that the cache may hold the array. The bytes depend on nothing that changes from run
 * to run. */
int64_t probes_stream_bytes(const struct host *host);

/* Whether a cell is a memory probe that had arrays of another size until they had to exceed every cache. *former: the
 * probe as it was. */
bool probes_former(const struct host *host, const struct cell *cell, struct cell *former);

#endif
