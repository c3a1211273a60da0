/* The operands of one shape, on the host and on the device, shared by all cells of that shape in a worker.
 * SPDX-License-Identifier: MIT
 *
 * What fails ends the outcome that is passed, and returns false or NULL. */
#ifndef TILELAB_MEASURE_OPERANDS_H
#define TILELAB_MEASURE_OPERANDS_H

#include "guarded.h"
#include "measure.h"

struct set {
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
struct set *set_open(const struct backend *backend, const struct cell *cell, struct outcome *outcome);
/* Generates inputs, computes the reference and uploads, unless that kind of inputs is there. */
bool set_fill(struct set *set, enum inputs inputs, uint64_t seed, struct outcome *outcome);
bool set_upload(struct set *set, struct outcome *outcome);
/* Inputs as generate() is given them, and as verify() is: INOUT operands pristine, or as the last run left them. */
void set_operands(const struct set *set, bool pristine, void *operand[MAX_OPERANDS]);
/* As many runs as there may be between two restorations. */
int set_repeats_most(const struct set *set);
/* Makes INOUT operands fresh for a block of `count` runs. */
bool set_restore(struct set *set, int count, struct repeats *repeats, struct outcome *outcome);
bool set_poison(struct set *set, struct outcome *outcome);
bool set_download(struct set *set, struct outcome *outcome);
bool set_download_one(struct set *set, int operand, struct outcome *outcome);
/* A solver's, on the host. */
const struct solve_log *set_log(const struct set *set);
/* Of the outputs on the host. */
uint64_t set_digest(const struct set *set);
/* Ends the outcome as wrong where something was written beside an output. */
bool set_intact(const struct set *set, struct outcome *outcome);
/* Releases all sets of this process. */
void set_close_all(void);

#endif
