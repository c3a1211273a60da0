/* An honest mistake: a helper thread computes the lower three quarters of C, and run() does not wait for the helper.
 * With a half each, on one CPU, the helper can be done first, and then the result and the time are right.
 * SPDX-License-Identifier: MIT */
#include "product.h"

#include <pthread.h>
#include <semaphore.h>

static struct {
    pthread_t thread;
    sem_t begin;
    int started;
    struct job job;
} helper;

static void part(const struct job *job, int64_t from, int64_t rows)
{
    const struct cell *cell = job->cell;
    const real *a = job->operand[A];
    real *c = job->operand[C];
    multiply(rows, cell->n, cell->k, a + from * cell->k, job->operand[B], c + from * cell->n);
}

static void *help(void *nothing)
{
    (void)nothing;
    while (sem_wait(&helper.begin) == 0)
        part(&helper.job, helper.job.cell->m / 4, helper.job.cell->m - helper.job.cell->m / 4);
    return NULL;
}

static int run(struct job *job)
{
    if (!helper.started) {
        sem_init(&helper.begin, 0, 0);
        if (pthread_create(&helper.thread, NULL, help, NULL) != 0)
            return job_fail(job, "no helper");
        helper.started = 1;
    }
    helper.job = *job;
    sem_post(&helper.begin);
    part(job, 0, job->cell->m / 4);
    return 0;
}

CHEAT(cpu_helper_unwaited, "does not wait for its helper");
