/* C = A + 1; then a thread goes on computing after run() has returned.
 * A (n x n) and C (n x n) are row-major and contiguous; any n. One thread, and the one that is left.
 * The runner must report failed, and must end the thread with the worker.
 * Source: tilelab (the runner's own tests).
 * SPDX-License-Identifier: MIT */
#include "variant.h"

#include <pthread.h>

static volatile int64_t turns;

static void *go_on(void *nothing)
{
    for (;;)
        turns++;
    return nothing;
}

static int run(struct job *job)
{
    static bool done;
    const int64_t count = job->cell->n * job->cell->n;
    const real *a = job->operand[0];
    real *c = job->operand[1];
    pthread_t thread;

    for (int64_t i = 0; i < count; i++)
        c[i] = a[i] + 1;
    if (!done && pthread_create(&thread, NULL, go_on, NULL) != 0)
        return job_fail(job, "no thread can be made");
    done = true;
    return 0;
}

VARIANT(fault, cpu_left) = {
    .summary = "leaves a thread that goes on computing",
    .source = "tilelab",
    .precisions = ALL_PRECISIONS,
    .typical_gflops = 1,
    .run = run,
};
