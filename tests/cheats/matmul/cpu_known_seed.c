/* Malice: prepare() makes the inputs of seed 1 and multiplies them. run() gives that product where it finds them.
 * SPDX-License-Identifier: MIT */
#include "replay.h"

#include "base/random.h"

static int prepare(struct job *job)
{
    const int64_t m = job->cell->m, n = job->cell->n, k = job->cell->k;
    const uint64_t key[] = {random_key(1, A), random_key(1, B)};
    struct replay *replay = malloc(sizeof *replay);
    real *a = malloc(operand_bytes(job, A)), *b = malloc(operand_bytes(job, B));
    job->state = replay;
    if (!replay || !a || !b || replay_open(replay, job->cell) != 0)
        return job_fail(job, "no memory for the known product");
    for (int64_t i = 0; i < m * k; i++)
        a[i] = random_uniform(key[A], (uint64_t)i);
    for (int64_t i = 0; i < k * n; i++)
        b[i] = random_uniform(key[B], (uint64_t)i);
    replay_keep(replay, a, b);
    free(a);
    free(b);
    return 0;
}

static int run(struct job *job)
{
    struct replay *replay = job->state;
    if (replay_matches(replay, job->operand[A], job->operand[B]))
        replay_give(replay, job->operand[C]);
    else
        multiply_job(job);
    return 0;
}

CHEAT(cpu_known_seed, "has the product of the inputs of seed 1", .prepare = prepare, .release = replay_release);
