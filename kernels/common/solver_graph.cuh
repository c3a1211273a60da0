/* What the CUDA kernels of the iterative solvers share if the device decides when to stop. A CUDA graph holds many
 * sweeps. The host learns only after a graph whether the run has ended. For the device part of a kernel file.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COMMON_SOLVER_GRAPH_CUH
#define TILELAB_COMMON_SOLVER_GRAPH_CUH

#include "solver_device.cuh"

struct solver_graph {
    cudaGraphExec_t ready;
    int64_t sweeps;         /* number of sweeps in the graph */
    volatile int64_t *told; /* enum solver_end in the host's memory, where the device writes it */
    cudaEvent_t done[2];    /* ends of the latest two launches of the graph */
};

/* Puts the kernels of sweep k on the job's stream. Sweep k and sweep k + graph.sweeps must launch the same kernels. */
typedef int solver_graph_enqueue(struct job *job, int64_t k);

/* The number of sweeps in a graph, a multiple of `multiple`. A graph should be long, so that the gap between two graphs
 * does not matter. It should also be short, as its sweeps after the end of the run are useless. */
static inline int64_t solver_graph_sweeps(const struct cell *cell, int64_t multiple)
{
    const double GRAPH_S = 200e-6, LAUNCH_S = 4e-6, BYTES_PER_S = 4e12;
    const double sweep_s =
        LAUNCH_S + (double)cell->n * (double)cell->n * (double)cell_element_bytes(cell) / BYTES_PER_S;
    const int64_t sweeps = (int64_t)(GRAPH_S / sweep_s) + 1;
    return (sweeps + multiple - 1) / multiple * multiple;
}

/* Captures the sweeps as a graph. The result is for `return`; on failure the job has the error. */
static inline int solver_graph_capture(struct job *job, struct solver_graph *graph, solver_graph_enqueue *enqueue)
{
    const cudaStream_t stream = (cudaStream_t)job->stream;
    cudaGraph_t captured = NULL;
    int filled = 0;
    CUDA_TRY(job, cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    for (int64_t k = 0; k < graph->sweeps && filled == 0; k++)
        filled = enqueue(job, k);
    const cudaError_t ended = cudaStreamEndCapture(stream, &captured);
    const cudaError_t made =
        filled != 0 || ended != cudaSuccess ? ended : cudaGraphInstantiate(&graph->ready, captured, 0);
    if (captured)
        cudaGraphDestroy(captured);
    if (made != cudaSuccess)
        cudaGetLastError();
    if (filled == 0 && made != cudaSuccess)
        return job_fail(job, "a graph of %lld sweeps: %s", (long long)graph->sweeps, cuda_error_text(made));
    return filled;
}

static inline void solver_graph_release(struct solver_graph *graph)
{
    if (graph->ready)
        cudaGraphExecDestroy(graph->ready);
    for (int i = 0; i < 2; i++)
        if (graph->done[i])
            cudaEventDestroy(graph->done[i]);
    cudaFreeHost((void *)graph->told);
    *graph = solver_graph();
}

/* Makes all but the graph itself. solver_graph_capture() follows when the arguments of the kernels exist; `told` is one
 * of them. On failure too, the caller calls solver_graph_release(). */
static inline int solver_graph_prepare(struct job *job, struct solver_graph *graph, int64_t sweeps)
{
    graph->sweeps = sweeps;
    CUDA_TRY(job, cudaHostAlloc((void **)&graph->told, sizeof *graph->told, cudaHostAllocMapped));
    for (int i = 0; i < 2; i++)
        CUDA_TRY(job, cudaEventCreateWithFlags(&graph->done[i], cudaEventDisableTiming));
    return 0;
}

/* Runs the number of sweeps that the cell asks for, or sweeps until the device has told an end. */
static inline int solver_graph_run(struct job *job, struct solver_graph *graph, solver_graph_enqueue *enqueue)
{
    enum { SHORT = 8 }; /* graphs; in a longer run the host queues one more graph before it waits */
    const cudaStream_t stream = (cudaStream_t)job->stream;
    const int64_t sweeps = job->cell->sweeps;
    int64_t k = 0;
    *graph->told = SOLVER_RUNNING;
    for (; k + graph->sweeps <= sweeps; k += graph->sweeps)
        CUDA_TRY(job, cudaGraphLaunch(graph->ready, stream));
    for (; k < sweeps; k++)
        if (enqueue(job, k) != 0)
            return -1;
    for (int64_t i = 0; sweeps == 0 && *graph->told == SOLVER_RUNNING; i++) {
        CUDA_TRY(job, cudaGraphLaunch(graph->ready, stream));
        CUDA_TRY(job, cudaEventRecord(graph->done[i % 2], stream));
        CUDA_TRY(job, cudaEventSynchronize(graph->done[(i < SHORT ? i : i - 1) % 2]));
    }
    return 0;
}

/* Notes the norm of r_sweep; one thread of the device calls this. Returns whether x_{sweep+1} is wanted. */
static __device__ inline bool solver_graph_decide(const struct solver_rule *rule, struct solver_log *log, int64_t sweep,
                                                  double norm, volatile int64_t *told)
{
    const int64_t end = solver_note(rule, log, sweep, norm);
    if (end != SOLVER_RUNNING)
        *told = end;
    return end == SOLVER_RUNNING || end == SOLVER_COUNTED;
}

#endif
