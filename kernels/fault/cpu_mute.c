/* Closes all descriptors, keeps off every signal that can be kept off, and never returns.
 * A (n x n) and C (n x n) are row-major and contiguous; any n. One thread.
 * The runner must report an exit, although the process lives until it is ended.
 * Source: tilelab (the runner's own tests).
 * SPDX-License-Identifier: MIT */
#include "variant.h"

#include <signal.h>
#include <unistd.h>

enum { DESCRIPTORS = 1024 };

static int run(struct job *job)
{
    sigset_t all;
    (void)job;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    for (int fd = 0; fd < DESCRIPTORS; fd++)
        close(fd);
    for (volatile bool forever = true; forever;)
        ;
    return 0;
}

VARIANT(fault, cpu_mute) = {
    .summary = "closes all descriptors and never returns",
    .source = "tilelab",
    .precisions = ALL_PRECISIONS,
    .typical_gflops = 1,
    .run = run,
};
