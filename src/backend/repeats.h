/* The runs of one timed block. Each run has a copy of its own of the operands that it changes in place.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BACKEND_REPEATS_H
#define TILELAB_BACKEND_REPEATS_H

#include "variant.h"

struct repeats {
    int count;
    /* Fresh copies of an INOUT operand for all runs but the last; the last run gets the operand itself. NULL: no
     * copies, every run gets the operand. */
    char *spare[MAX_OPERANDS];
    size_t stride_bytes[MAX_OPERANDS]; /* from one copy to the next */
};

/* Calls run(job) `count` times, but stops after a call that fails. Returns what the last call returned. The job's
 * operands are afterwards what they were before. */
static inline int repeats_run(const struct repeats *repeats, int (*run)(struct job *job), struct job *job)
{
    void *own[MAX_OPERANDS];
    int status = 0;
    memcpy(own, job->operand, sizeof own);
    for (int i = 0; i < repeats->count && status == 0; i++) {
        for (int o = 0; o < MAX_OPERANDS; o++)
            if (repeats->spare[o])
                job->operand[o] =
                    i < repeats->count - 1 ? repeats->spare[o] + (size_t)i * repeats->stride_bytes[o] : own[o];
        status = run(job);
    }
    memcpy(job->operand, own, sizeof own);
    return status;
}

#endif
