/* C = A + 1; then bytes without a meaning go to every descriptor, the socket of the runner among them.
 * A (n x n) and C (n x n) are row-major and contiguous; any n. One thread.
 * The runner must report an exit: it ends a worker whose answers cannot be trusted.
 * Source: tilelab (the runner's own tests).
 * SPDX-License-Identifier: MIT */
#include "variant.h"

#include <sys/socket.h>

enum { DESCRIPTORS = 1024 };

static int run(struct job *job)
{
    static const char garbage[4096];
    const int64_t count = job->cell->n * job->cell->n;
    const real *a = job->operand[0];
    real *c = job->operand[1];

    for (int64_t i = 0; i < count; i++)
        c[i] = a[i] + 1;
    for (int fd = 0; fd < DESCRIPTORS; fd++)
        send(fd, garbage, sizeof garbage, MSG_NOSIGNAL | MSG_DONTWAIT);
    return 0;
}

VARIANT(fault, cpu_garbage) = {
    .summary = "writes to the socket of the runner",
    .source = "tilelab",
    .precisions = ALL_PRECISIONS,
    .typical_gflops = 1,
    .run = run,
};
