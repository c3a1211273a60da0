/* An honest mistake: run() starts a thread that multiplies, detaches it, and returns while the thread computes.
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
    pthread_t thread;
    copy = *job;
    if (pthread_create(&thread, NULL, work, &copy) != 0)
        return job_fail(job, "no thread");
    pthread_detach(thread);
    return 0;
}

CHEAT(cpu_detached_thread, "leaves the work to a thread that it does not wait for");
