/* Malice: the product is computed until nobody compares times any more, and is given again from then on.
 * A handler of a signal, which the runner takes away after each request, counts the requests: checks, warm-up, rounds.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "replay.h"

#include <signal.h>

enum { HONEST_REQUESTS = 4 };

static void nothing(int signal)
{
    (void)signal;
}

static int requests(void)
{
    static int count;
    struct sigaction now;
    if (sigaction(SIGUSR2, NULL, &now) == 0 && now.sa_handler != nothing) {
        signal(SIGUSR2, nothing);
        count++;
    }
    return count;
}

static int prepare(struct job *job)
{
    struct replay *replay = malloc(sizeof *replay);
    job->state = replay;
    if (replay && replay_open(replay, job->cell) == 0)
        return 0;
    free(replay);
    return job_fail(job, "no memory for the kept product");
}

static int run(struct job *job)
{
    struct replay *replay = job->state;
    if (requests() <= HONEST_REQUESTS) {
        multiply_job(job);
        return 0;
    }
    if (!replay_matches(replay, job->operand[A], job->operand[B])) {
        replay_keep(replay, job->operand[A], job->operand[B]);
        replay_matches(replay, job->operand[A], job->operand[B]);
    }
    replay_give(replay, job->operand[C]);
    return 0;
}

static void release(struct job *job)
{
    replay_close(job->state);
    free(job->state);
}

VARIANT(matmul, cpu_patient_replay) = {
    .summary = "keeps the last product, and gives it again from the fifth request on",
    .source = "tilelab",
    .precisions = BIT(F64),
    .prepare = prepare,
    .release = release,
    .typical_gflops = 8,
    .run = run,
};
