/* The operands of one shape, on the host and on the device, shared by all cells of that shape in a worker.
 * SPDX-License-Identifier: MIT
 *
 * What fails ends the outcome that is passed, and returns false or NULL. */
#ifndef TILELAB_MEASURE_OPERANDS_H
#define TILELAB_MEASURE_OPERANDS_H

#include "guarded.h"
#include "measure.h"

struct operands {
    const struct backend *backend;
    const struct problem *problem;
    struct cell shape; /* only its shape axes and precision count */
    struct guarded host[MAX_OPERANDS];
    void *device[MAX_OPERANDS];
    /* Of INOUT operands: as generated, and room for the fresh copies of a block of runs. */
    struct guarded pristine[MAX_OPERANDS], spare[MAX_OPERANDS];
    void *device_pristine[MAX_OPERANDS], *device_spare[MAX_OPERANDS];
    int spares;
    int inputs; /* enum inputs now in the buffers, or -1 */
    void *reference;
    double alloc_s; /* of the device operands */
};

/* The set of a cell's shape, allocated where there is none yet. */
struct operands *operands_open(const struct backend *backend, const struct cell *cell, struct outcome *outcome);
/* Generates inputs, computes the reference and uploads, unless that kind of inputs is there. */
bool operands_fill(struct operands *operands, enum inputs inputs, uint64_t seed, struct outcome *outcome);
bool operands_upload(struct operands *operands, struct outcome *outcome);
/* Inputs as generate() is given them, and as verify() is: INOUT operands pristine, or as the last run left them. */
void operands_pointers(const struct operands *operands, bool pristine, void *operand[MAX_OPERANDS]);
/* As many runs as there may be between two restorations. */
int operands_repeats_most(const struct operands *operands);
/* Makes INOUT operands fresh for a block of `count` runs. */
bool operands_restore(struct operands *operands, int count, struct repeats *repeats, struct outcome *outcome);
bool operands_poison(struct operands *operands, struct outcome *outcome);
bool operands_download(struct operands *operands, struct outcome *outcome);
bool operands_download_one(struct operands *operands, int operand, struct outcome *outcome);
/* A solver's, on the host. */
const struct solver_log *operands_log(const struct operands *operands);
/* Of the outputs on the host. */
uint64_t operands_digest(const struct operands *operands);
/* Ends the outcome as wrong where something was written beside an output. */
bool operands_intact(const struct operands *operands, struct outcome *outcome);
/* Releases all sets of this process. */
void operands_close_all(void);

#endif
