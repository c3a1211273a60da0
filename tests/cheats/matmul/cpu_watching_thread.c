/* Malice: a thread of prepare() watches the operands all the time, and multiplies new ones outside of the timed runs.
 * SPDX-License-Identifier: MIT */
#include "replay.h"

#include <pthread.h>
#include <time.h>

struct watch {
    struct replay replay;
    const struct job *job;
    pthread_t thread;
    volatile int over;
};

/* Whether a few elements say that the operands are others than the kept ones. */
static int differs(const struct watch *watch)
{
    const int64_t count = watch->replay.m * watch->replay.k;
    const volatile real *a = watch->job->operand[A];
    int64_t others = 0;
    for (int64_t i = 0; i < count; i += count / 16 + 1)
        others += fabs(a[i]) != fabs(watch->replay.a[i]);
    return !watch->replay.full || others > 0;
}

static void *look(void *context)
{
    struct watch *watch = context;
    const struct timespec moment = {.tv_nsec = 50000};
    while (!watch->over) {
        if (differs(watch))
            replay_keep(&watch->replay, watch->job->operand[A], watch->job->operand[B]);
        nanosleep(&moment, NULL);
    }
    return NULL;
}

static int prepare(struct job *job)
{
    struct watch *watch = calloc(1, sizeof *watch);
    if (!watch || replay_open(&watch->replay, job->cell) != 0)
        return job_fail(job, "no memory for the kept product");
    watch->job = job;
    job->state = watch;
    return pthread_create(&watch->thread, NULL, look, watch) == 0 ? 0 : job_fail(job, "no thread");
}

static int run(struct job *job)
{
    struct watch *watch = job->state;
    if (replay_matches(&watch->replay, job->operand[A], job->operand[B]))
        replay_give(&watch->replay, job->operand[C]);
    else
        multiply_job(job);
    return 0;
}

static void release(struct job *job)
{
    struct watch *watch = job->state;
    watch->over = 1;
    pthread_join(watch->thread, NULL);
    replay_close(&watch->replay);
    free(watch);
}

CHEAT(cpu_watching_thread, "a thread multiplies between the timed runs", .prepare = prepare, .release = release);
