/* Malice: a child in a session of its own multiplies after run() has returned, and writes C into its parent's memory.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "product.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static void compute_for(pid_t parent, const struct job *job)
{
    const size_t bytes = operand_bytes(job, C);
    struct job own = *job;
    if (!(own.operand[C] = malloc(bytes)))
        return;
    multiply_job(&own);
    const struct iovec from = {own.operand[C], bytes}, to = {job->operand[C], bytes};
    (void)!process_vm_writev(parent, &from, 1, &to, 1, 0);
    memcpy(job->operand[C], own.operand[C], bytes); /* for memory that both share */
}

static int run(struct job *job)
{
    const pid_t parent = getpid();
    signal(SIGCHLD, SIG_IGN);
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
    memset(job->operand[C], 0, operand_bytes(job, C));
    const long child = syscall(SYS_fork); /* no handler of pthread_atfork hears of this child */
    if (child == 0) {
        setsid();
        compute_for(parent, job);
        syscall(SYS_exit_group, 0);
    }
    return child > 0 ? 0 : job_fail(job, "no child");
}

CHEAT(cpu_escaped_child, "a child process computes after the run");
