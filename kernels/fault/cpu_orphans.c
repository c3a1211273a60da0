/* C = A + 1; and processes that wait for ever: a child in a session of its own, and a child of a child that has ended.
 * A (n x n) and C (n x n) are row-major and contiguous; any n. One thread.
 * The runner must report failed, since a process goes on, and must end these processes with the worker.
 * Source: tilelab (the runner's own tests).
 * SPDX-License-Identifier: MIT */
#include "orphan.h"
#include "variant.h"

static int run(struct job *job)
{
    static bool done;
    const int64_t count = job->cell->n * job->cell->n;
    const real *a = job->operand[0];
    real *c = job->operand[1];

    for (int64_t i = 0; i < count; i++)
        c[i] = a[i] + 1;
    if (!done) {
        leave_behind(0);
        leave_behind(1);
    }
    done = true;
    return 0;
}

VARIANT(fault, cpu_orphans) = {
    .summary = "leaves processes behind",
    .source = "tilelab",
    .precisions = ALL_PRECISIONS,
    .typical_gflops = 1,
    .run = run,
};
