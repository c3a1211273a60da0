/* n launches of a kernel of one thread in one graph, which a run launches once. Each adds 1 to the counter C (1 x 1).
 * prepare captures the graph, untimed. The graph begins by zeroing the counter.
 * n is at most 65536, because a graph keeps every node in memory.
 * Differs from cuda: the host says once what the device does n times.
 * Source: tilelab.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifdef __CUDACC__

__global__ void launch_graph_count(unsigned *counter)
{
    atomicAdd(counter, 1); /* the result is not used, so the thread does not wait for memory */
}

static int fill(struct job *job, cudaStream_t stream)
{
    unsigned *counter = (unsigned *)job->operand[0];
    CUDA_TRY(job, cudaMemsetAsync(counter, 0, sizeof *counter, stream));
    for (int64_t i = 0; i < job->cell->n; i++)
        launch_graph_count<<<1, 1, 0, stream>>>(counter);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

CUDA_ENTRY int launch_cuda_graph_prepare(struct job *job)
{
    const cudaStream_t stream = (cudaStream_t)job->stream;
    cudaGraph_t graph = NULL;
    cudaGraphExec_t ready;
    CUDA_TRY(job, cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    const int filled = fill(job, stream);
    const cudaError_t ended = cudaStreamEndCapture(stream, &graph);
    if (filled != 0 || ended != cudaSuccess) {
        cudaGraphDestroy(graph);
        return filled ? filled : job_fail(job, "cudaStreamEndCapture: %s", cuda_error_text(ended));
    }
    const cudaError_t made = cudaGraphInstantiate(&ready, graph, 0);
    cudaGraphDestroy(graph);
    if (made != cudaSuccess)
        return job_fail(job, "cudaGraphInstantiate: %s", cuda_error_text(made));
    job->state = ready;
    return 0;
}

CUDA_ENTRY int launch_cuda_graph_launch(struct job *job)
{
    CUDA_TRY(job, cudaGraphLaunch((cudaGraphExec_t)job->state, (cudaStream_t)job->stream));
    return 0;
}

CUDA_ENTRY void launch_cuda_graph_release(struct job *job)
{
    cudaGraphExecDestroy((cudaGraphExec_t)job->state);
}

#else

static const char *reject(const struct cell *cell)
{
    if (cell->n > 1 << 16)
        return cell_reason("a graph of up to 65536 kernels, not of %lld", (long long)cell->n);
    return NULL;
}

VARIANT(launch, cuda_graph) = {
    .summary = "all launches captured in one CUDA graph",
    .summary_ru = "все запуски записаны в один граф CUDA",
    .source = "tilelab",
    .precisions = BIT(I32),
    .unit = UNIT_TIME,
    .typical_gflops = 8e-4,
    .reject = reject,
};

#endif
