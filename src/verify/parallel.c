/* Loops on all cores, on threads of their own. OpenMP's threads would inherit the cores to which a worker is bound.
 * SPDX-License-Identifier: MIT */
#include "parallel.h"

#include "machine/host.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { THREADS_MAX = 256 };

static struct {
    bool known;
    int threads;
    cpu_set_t cpus[HOST_CORES_MAX / CPU_SETSIZE];
} cores;

struct loop {
    int64_t count, chunk;
    void (*body)(int64_t begin, int64_t end, void *context);
    void *context;
    _Atomic int64_t next;
};

void parallel_init(void)
{
    cores.known = true;
    cores.threads = 1;
    if (sched_getaffinity(0, sizeof cores.cpus, cores.cpus) != 0)
        return;
    /* The host's count also respects the quota, and counts a core with two hardware threads once. */
    const int allowed = CPU_COUNT_S(sizeof cores.cpus, cores.cpus), usable = host_get()->cores;
    cores.threads = usable < allowed ? usable : allowed;
    if (cores.threads > THREADS_MAX)
        cores.threads = THREADS_MAX;
    if (cores.threads < 1)
        cores.threads = 1;
}

static void *take_chunks(void *argument)
{
    struct loop *loop = argument;
    for (;;) {
        const int64_t begin = atomic_fetch_add(&loop->next, loop->chunk);
        if (begin >= loop->count)
            return NULL;
        const int64_t end = begin + loop->chunk < loop->count ? begin + loop->chunk : loop->count;
        loop->body(begin, end, loop->context);
    }
}

void parallel_for(int64_t count, void (*body)(int64_t begin, int64_t end, void *context), void *context)
{
    if (!cores.known)
        parallel_init();
    if (count <= 0)
        return;
    if (count == 1 || cores.threads == 1) {
        body(0, count, context);
        return;
    }

    /* Each thread has several chunks, since the threads of a shared machine differ in speed. */
    struct loop loop = {.count = count, .body = body, .context = context};
    loop.chunk = count / (8 * (int64_t)cores.threads) + 1;
    const int64_t chunks = (count + loop.chunk - 1) / loop.chunk;
    const int helpers = (int)(chunks < cores.threads ? chunks : cores.threads) - 1;
    pthread_t helper[THREADS_MAX];
    pthread_attr_t attributes;
    sigset_t all, before;
    int made = 0;

    if (helpers > 0 && pthread_attr_init(&attributes) == 0) {
        pthread_attr_setaffinity_np(&attributes, sizeof cores.cpus, cores.cpus);
        /* Only the main thread handles signals. */
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        while (made < helpers && pthread_create(&helper[made], &attributes, take_chunks, &loop) == 0)
            made++;
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        pthread_attr_destroy(&attributes);
    }
    take_chunks(&loop);
    for (int i = 0; i < made; i++)
        pthread_join(helper[i], NULL);
}
