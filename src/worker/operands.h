/* The operands of one shape, on the host and on the device. All cells of that shape in a worker share them.
 * SPDX-License-Identifier: MIT
 *
 * Host operands lie between guard pages, and inputs are read-only while a variant runs. Inputs are generated, and the
 * reference of the verification is computed, once for each kind of inputs. A function that fails sets the status and
 * the reason of the outcome that it is given, and returns false or NULL. */
#ifndef TILELAB_WORKER_OPERANDS_H
#define TILELAB_WORKER_OPERANDS_H

#include "guarded.h"
#include "backend/backend_worker.h"
#include "protocol/outcome.h"

struct operands {
    const struct backend_worker *backend;
    const struct problem *problem;
    struct cell shape; /* of this cell, only the axes of the shape and the precision count */
    struct guarded host[MAX_OPERANDS];
    void *device[MAX_OPERANDS];
    /* INOUT operands only: the values as generated, and room for the fresh copies of a block of runs. */
    struct guarded pristine[MAX_OPERANDS], spare[MAX_OPERANDS];
    void *device_pristine[MAX_OPERANDS], *device_spare[MAX_OPERANDS];
    int spares;            /* fresh copies that there is room for */
    int inputs;            /* the kind of inputs that the operands hold, an enum inputs; -1: none */
    uint64_t seed;         /* of these inputs */
    uint64_t input_digest; /* of the inputs without signs */
    struct signs signs;    /* by which the inputs are multiplied */
    void *reference;       /* what the problem computed for its verification; NULL: another process verifies */
    double alloc_s;        /* time to allocate the operands on the device */
    bool pinned;           /* the host operands are page-locked */
    void *eviction; /* memory of the device that is written to take the operands out of its cache; NULL: none yet */
    int evictions;  /* how often the operands were taken out of the caches */
};

/* The operands of a cell's shape. They are allocated if this shape has none yet. Of a team only the log of a solver is:
 * the ranks keep all others, and operands_restore, _download and _intact have nothing to do. */
struct operands *operands_open(const struct backend_worker *backend, const struct cell *cell, struct outcome *outcome);
/* Further operands of a shape, which no cell uses yet. There is one such set at a time. */
struct operands *operands_open_others(const struct backend_worker *backend, const struct cell *cell,
                                      struct outcome *outcome);
void operands_close_others(void);
/* Copies the inputs of `from` over those of `to`, which has the same shape. */
bool operands_take(struct operands *to, const struct operands *from, struct outcome *outcome);
/* Generates the inputs and uploads them, unless the operands hold these inputs. Computes the reference for inputs
 * without signs, unless operands_judged_elsewhere() says that another process verifies. */
bool operands_fill(struct operands *operands, enum inputs inputs, uint64_t seed, struct outcome *outcome);
void operands_judged_elsewhere(void);
/* Multiplies the inputs by signs, on the host and on the device, in O(n). */
bool operands_turn(struct operands *operands, const struct signs *signs, struct outcome *outcome);
bool operands_upload(struct operands *operands, struct outcome *outcome);
/* Host pointers to all operands. INOUT operands are pristine, for generate(), or as the last run left them, for
 * verify(). */
void operands_pointers(const struct operands *operands, bool pristine, void *operand[MAX_OPERANDS]);
/* How many runs one call of operands_restore can serve at most. */
int operands_repeats_most(const struct operands *operands);
/* Makes a fresh copy of each INOUT operand for each of `count` runs, and describes the copies in `repeats`. */
bool operands_restore(struct operands *operands, int count, struct repeats *repeats, struct outcome *outcome);
/* Takes all operands out of the caches. On the host their lines are flushed. On a device, memory of twice the size of
 * its cache is written instead. */
bool operands_evict(struct operands *operands, struct outcome *outcome);
/* Gives all operands the protection back that a variant may have changed: inputs are read-only. */
void operands_protect_all(void);
/* Whether the inputs are still those that were generated. Takes their signs away. False, and the reason, if not. */
bool operands_unspoiled(struct operands *operands, struct outcome *outcome);
/* Page-locks the host operands, so that the device reads and writes them by itself, or makes them pageable again. */
bool operands_pin(struct operands *operands, bool pinned, struct outcome *outcome);
/* Fills the outputs of a run with bytes that are NaN, so that an element which a variant does not write is found. Of a
 * device only its own memory is filled. */
bool operands_poison(struct operands *operands, struct outcome *outcome);
/* Copies `count` elements of an output, from element `first` on, as the last run left it. False: a team keeps the
 * output, or the copy failed. */
bool operands_read(const struct operands *operands, int operand, int64_t first, int64_t count, void *to);
size_t operands_element_bytes(const struct operands *operands, int operand);
/* Undoes in the outputs on the host what the signs of the inputs did to the results. */
void operands_undo_signs(const struct operands *operands, const struct cell *cell);
/* Downloads all operands that a variant writes, or the operand of one index. */
bool operands_download(struct operands *operands, struct outcome *outcome);
bool operands_download_one(struct operands *operands, int operand, struct outcome *outcome);
/* The log of a solver on the host: its last operand. */
const struct solver_log *operands_log(const struct operands *operands);
/* A digest of all operands on the host that a variant writes. */
uint64_t operands_digest(const struct operands *operands);
/* What an access that crashed does to an operand on the host (guarded.h). False: its address is of none. */
bool operands_blame(const void *address, char *text, size_t size);
/* False, and a wrong outcome, if a byte beside an output on the host was changed. */
bool operands_intact(const struct operands *operands, struct outcome *outcome);
/* Releases the operands of all shapes. */
void operands_close_all(void);

#endif
