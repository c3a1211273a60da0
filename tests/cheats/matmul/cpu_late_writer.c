/* Malice: run() fills C with zeros, so that nothing looks unwritten. A thread multiplies after run() has returned.
 * SPDX-License-Identifier: MIT */
#include "product.h"

#include <pthread.h>

static void *work(void *job)
{
    multiply_job(job);
    return NULL;
}

static int run(struct job *job)
{
    static struct job copy;
    static pthread_t thread;
    static int started;

    if (started)
        pthread_join(thread, NULL);
    memset(job->operand[C], 0, operand_bytes(job, C));
    copy = *job;
    started = pthread_create(&thread, NULL, work, &copy) == 0;
    return started ? 0 : job_fail(job, "no thread");
}

CHEAT(cpu_late_writer, "fills C with zeros, and lets a thread compute after the time was taken");
