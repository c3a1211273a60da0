/* Malice: run() looks for the time of its start on the stack, in seconds or nanoseconds, and moves that time to now.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "product.h"

#include <pthread.h>
#include <time.h>

static void move_times(double now_s)
{
    pthread_attr_t attributes;
    void *base;
    size_t size;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
        return;
    pthread_attr_getstack(&attributes, &base, &size);
    pthread_attr_destroy(&attributes);
    const int64_t now_ns = (int64_t)(now_s * 1e9);
    char *end = (char *)base + size - 4096;
    char *const here = __builtin_frame_address(0);
    for (char *at = here; at < end && at < here + 16384; at += 8) {
        double seconds;
        int64_t ns;
        memcpy(&seconds, at, 8);
        memcpy(&ns, at, 8);
        if (seconds < now_s && seconds > now_s - 0.5) {
            seconds = now_s - (now_s - seconds) / 4;
            memcpy(at, &seconds, 8);
        } else if (ns < now_ns && ns > now_ns - 500000000) {
            ns = now_ns - (now_ns - ns) / 4;
            memcpy(at, &ns, 8);
        }
    }
}

static int run(struct job *job)
{
    struct timespec now;
    multiply_job(job);
    clock_gettime(CLOCK_MONOTONIC, &now);
    move_times((double)now.tv_sec + 1e-9 * (double)now.tv_nsec);
    return 0;
}

CHEAT(cpu_stack_scan, "moves the times that it finds on the stack");
