/* C = A + 1; then the process gives up new privileges for ever, which nothing can undo.
 * A (n x n) and C (n x n) are row-major and contiguous; any n. One thread.
 * The runner must report failed, and no other cell may have this process.
 * Source: tilelab (the runner's own tests).
 * SPDX-License-Identifier: MIT */
#include "variant.h"

#include <sys/prctl.h>

static int run(struct job *job)
{
    const int64_t count = job->cell->n * job->cell->n;
    const real *a = job->operand[0];
    real *c = job->operand[1];

    for (int64_t i = 0; i < count; i++)
        c[i] = a[i] + 1;
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? 0 : job_fail(job, "the system refuses");
}

VARIANT(fault, cpu_spoil) = {
    .summary = "leaves the process in a state that cannot be undone",
    .source = "tilelab",
    .precisions = ALL_PRECISIONS,
    .typical_gflops = 1,
    .run = run,
};
