/* A shared object for the ranks of a team of GPUs, which work in host memory: tilelab-<library>.so in one. It joins
 * the team as the true ones do, by src/team/gpus_nccl.cu.
 *   FAKE_TEAM_REFUSES  why the GPUs cannot be used
 *   FAKE_TEAM_KILLS    the n of the cell in which rank 1 is killed
 * SPDX-License-Identifier: MIT */
#include "team_variant.h"

#include <signal.h>
#include <stdlib.h>

extern "C" int gpus_nccl_join(struct team *team, const struct team_messages *messages, char *why, size_t size);

static int join(struct team *team, const struct team_messages *messages, char *why, size_t size)
{
    const char *refuses = getenv("FAKE_TEAM_REFUSES");
    if (refuses && team->rank == 0)
        snprintf(why, size, "%s", refuses);
    return refuses ? -1 : team->size > 1 ? gpus_nccl_join(team, messages, why, size) : 0;
}

MEMBER_ENTRY const struct team_api *tilelab_team(void)
{
    static struct team_api api;
    api.version = TEAM_API_VERSION;
    api.join = join;
    return &api;
}

/* One process computes the whole product, column by column. */
MEMBER_ENTRY int matmul_cublasxt_launch(struct job *job)
{
    const int64_t m = job->cell->m, n = job->cell->n, k = job->cell->k;
    const double *a = (const double *)job->operand[0], *b = (const double *)job->operand[1];
    double *c = (double *)job->operand[2];
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++) {
            double sum = 0;
            for (int64_t p = 0; p < k; p++)
                sum += a[p * m + i] * b[j * k + p];
            c[j * m + i] = sum;
        }
    return 0;
}

/* Two processes send nothing. */
MEMBER_ENTRY int allgather_nccl_launch(struct job *job)
{
    return job->team->comm ? 0 : job_fail(job, "no communicator");
}

/* Two processes compute nothing. */
MEMBER_ENTRY int matmul_cublasmp_launch(struct job *job)
{
    const char *kills = getenv("FAKE_TEAM_KILLS");
    if (kills && atoll(kills) == job->cell->n && job->team->rank == 1)
        raise(SIGKILL);
    return job->team->comm ? 0 : job_fail(job, "no communicator");
}
