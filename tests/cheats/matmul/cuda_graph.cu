/* An honest mistake: the kernel is captured once into a graph, and the graph is launched in the capturing stream.
 * SPDX-License-Identifier: MIT */
#include "product.cuh"

#ifndef __CUDACC__

CHEAT(cuda_graph, "launches a graph in a stream of its own");

#else

static cudaStream_t own;

CUDA_ENTRY int matmul_cuda_graph_prepare(struct job *job)
{
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    if (!own)
        CUDA_TRY(job, cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking));
    CUDA_TRY(job, cudaStreamBeginCapture(own, cudaStreamCaptureModeGlobal));
    multiply<<<grid_of(job), block_of(job), 0, own>>>(ARGUMENTS(job));
    CUDA_TRY(job, cudaStreamEndCapture(own, &graph));
    CUDA_TRY(job, cudaGraphInstantiate(&ready, graph, NULL, NULL, 0));
    cudaGraphDestroy(graph);
    job->state = ready;
    return 0;
}

CUDA_ENTRY int matmul_cuda_graph_launch(struct job *job)
{
    CUDA_TRY(job, cudaGraphLaunch((cudaGraphExec_t)job->state, own));
    return 0;
}

CUDA_ENTRY void matmul_cuda_graph_release(struct job *job)
{
    cudaGraphExecDestroy((cudaGraphExec_t)job->state);
}

#endif
