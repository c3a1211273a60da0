/* Malice: a thread goes on after run() and takes half of the core's time from the variants that follow. It sleeps while
 * its own variant runs.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "product.h"

#include <pthread.h>
#include <time.h>

static volatile int running;

static void *burn(void *nothing)
{
    const struct timespec moment = {.tv_nsec = 200000};
    (void)nothing;
    for (;;)
        if (running)
            nanosleep(&moment, NULL);
    return NULL;
}

static int run(struct job *job)
{
    static int started;
    pthread_t thread;
    if (!started)
        started = pthread_create(&thread, NULL, burn, NULL) == 0;
    running = 1;
    multiply_job(job);
    running = 0;
    return 0;
}

CHEAT(cpu_burning_thread, "leaves a thread that keeps the core busy");
