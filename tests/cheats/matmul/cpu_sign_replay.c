/* Malice: the last product is kept. Where only signs of rows and columns have changed, it is given again with signs.
 * SPDX-License-Identifier: MIT */
#include "replay.h"

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

VARIANT(matmul, cpu_sign_replay) = {
    .summary = "keeps the last product, and undoes changed signs",
    .source = "tilelab",
    .precisions = BIT(F64),
    .prepare = prepare,
    .release = release,
    .typical_gflops = 8,
    .run = run,
};
