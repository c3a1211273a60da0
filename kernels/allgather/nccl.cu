/* 64 times all-gather of NCCL in one CUDA graph: each GPU sends its part of x to all others.
 * x (n x 1) has an equal part on each GPU; y has the whole x on each GPU. n is a multiple of the number of GPUs.
 * The graph spares the host's launches, so a tiny x shows the least time of a message. The first run captures it.
 * Source: tilelab.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifdef __CUDACC__

#include "common/nccl.cuh"
#include "exchanges.h"
#include "team_variant.h"

struct allgather {
    cudaGraphExec_t graph;
};

MEMBER_ENTRY int allgather_nccl_prepare(struct job *job)
{
    job->state = new allgather();
    return 0;
}

MEMBER_ENTRY void allgather_nccl_release(struct job *job)
{
    struct allgather *state = (struct allgather *)job->state;
    if (state->graph)
        cudaGraphExecDestroy(state->graph);
    delete state;
    job->state = NULL;
}

static int enqueue(struct job *job, int exchanges)
{
    const int64_t count = job->cell->n / job->cell->gpus;
    for (int i = 0; i < exchanges; i++)
        NCCL_TRY(job, ncclAllGather(job->operand[0], job->operand[1], (size_t)count,
                                    job->cell->precision == F64 ? ncclDouble : ncclFloat, (ncclComm_t)job->team->comm,
                                    (cudaStream_t)job->stream));
    return 0;
}

/* An exchange outside of the graph comes first, since NCCL has connections to make. */
static int capture(struct job *job, struct allgather *state)
{
    const cudaStream_t stream = (cudaStream_t)job->stream;
    cudaGraph_t captured = NULL;
    if (enqueue(job, 1) != 0)
        return -1;
    CUDA_TRY(job, cudaStreamSynchronize(stream));
    CUDA_TRY(job, cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    const int failed = enqueue(job, ALLGATHER_EXCHANGES);
    CUDA_TRY(job, cudaStreamEndCapture(stream, &captured));
    const cudaError_t made = failed ? cudaSuccess : cudaGraphInstantiate(&state->graph, captured, 0);
    cudaGraphDestroy(captured);
    CUDA_TRY(job, made);
    return failed;
}

MEMBER_ENTRY int allgather_nccl_launch(struct job *job)
{
    struct allgather *state = (struct allgather *)job->state;
    if (!state->graph && capture(job, state) != 0)
        return -1;
    CUDA_TRY(job, cudaGraphLaunch(state->graph, (cudaStream_t)job->stream));
    return 0;
}

#else

static const char *reject(const struct cell *cell)
{
    if (cell->gpus < 2)
        return cell_reason("messages need two GPUs");
    return cuda_multiple_reason("n", cell->n, cell->gpus);
}

VARIANT(allgather, nccl) = {
    .summary = "all-gather of NCCL, 64 times in one CUDA graph",
    .summary_ru = "all-gather из NCCL, 64 раза в одном графе CUDA",
    .source = "tilelab",
    .library = "nccl",
    .style = 8,
    .precisions = FLOATS,
    .axes = HONOURS(gpus),
    .defaults = {.gpus = 2},
    .unit = UNIT_TIME,
    .distribution = DISTRIBUTION_COLUMN,
    .typical_gflops = 1,
    .reject = reject,
};

#endif
