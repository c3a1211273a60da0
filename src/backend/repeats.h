/* The runs of one timed block, and where each of them finds the operands that it changes in place.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BACKEND_REPEATS_H
#define TILELAB_BACKEND_REPEATS_H

#include "variant.h"

struct repeats {
    int count;
    /* Fresh copies of INOUT operands for all runs but the last, which gets the operand itself; NULL
     * where there are none. */
    char *spare[MAX_OPERANDS];
    size_t stride_bytes[MAX_OPERANDS]; /* from copy to copy */
};

/* Calls run(job) so often, until one fails; returns what the last call did. The job's operands are
 * what they were before. */
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
