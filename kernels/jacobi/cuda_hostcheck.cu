/* x of A x = b by Jacobi's method, a thread a row; after every sweep the host computes the residual.
 * A (n x n) is diagonally dominant and row-major; n is any. A thread block has 16 threads.
 * A sweep is one launch, one download of x, and one pass of one CPU core over the host's copy of A. A run downloads A
 * once, within its measured time.
 * Source: granular (its "GPU").
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifdef __CUDACC__

#include "row_a_thread.cuh"

#include <stdlib.h>

struct hostcheck {
    void *spare;     /* the second x, on the device */
    void *a, *b, *x; /* copies on the host */
};

static int hostcheck_download(struct job *job, void *to, const void *from, int64_t bytes)
{
    const cudaStream_t stream = (cudaStream_t)job->stream;
    CUDA_TRY(job, cudaMemcpyAsync(to, from, (size_t)bytes, cudaMemcpyDeviceToHost, stream));
    CUDA_TRY(job, cudaStreamSynchronize(stream));
    return 0;
}

template <typename real> static int hostcheck_norm(struct job *job, const real *x, double *norm)
{
    const struct hostcheck *hostcheck = (const struct hostcheck *)job->state;
    const int64_t n = job->cell->n;
    const real *a = (const real *)hostcheck->a, *b = (const real *)hostcheck->b, *here = (const real *)hostcheck->x;
    if (hostcheck_download(job, hostcheck->x, x, n * (int64_t)sizeof *x) != 0)
        return -1;
    double squares = 0;
    for (int64_t i = 0; i < n; i++) {
        double residual = b[i];
        for (int64_t j = 0; j < n; j++)
            residual -= (double)a[i * n + j] * here[j];
        squares += residual * residual;
    }
    *norm = sqrt(squares);
    return 0;
}

CUDA_ENTRY void jacobi_cuda_hostcheck_release(struct job *job)
{
    struct hostcheck *hostcheck = (struct hostcheck *)job->state;
    cudaFree(hostcheck->spare);
    free(hostcheck->a);
    free(hostcheck->b);
    free(hostcheck->x);
    delete hostcheck;
    job->state = NULL;
}

static int hostcheck_allocate(struct job *job, struct hostcheck *hostcheck)
{
    const size_t n = (size_t)job->cell->n, bytes = n * (size_t)cell_element_bytes(job->cell);
    CUDA_TRY(job, cudaMalloc(&hostcheck->spare, bytes));
    hostcheck->a = malloc(n * bytes);
    hostcheck->b = malloc(bytes);
    hostcheck->x = malloc(bytes);
    if (!hostcheck->a || !hostcheck->b || !hostcheck->x)
        return job_fail(job, "out of memory for the host's copy of A");
    return 0;
}

CUDA_ENTRY int jacobi_cuda_hostcheck_prepare(struct job *job)
{
    struct hostcheck *hostcheck = new struct hostcheck();
    job->state = hostcheck;
    if (hostcheck_allocate(job, hostcheck) == 0)
        return 0;
    jacobi_cuda_hostcheck_release(job);
    return -1;
}

template <typename real> static int launch(struct job *job)
{
    const struct hostcheck *hostcheck = (const struct hostcheck *)job->state;
    const int64_t n = job->cell->n, bytes = n * (int64_t)sizeof(real);
    if (hostcheck_download(job, hostcheck->a, job->operand[SOLVER_A], n * bytes) != 0 ||
        hostcheck_download(job, hostcheck->b, job->operand[SOLVER_B], bytes) != 0)
        return -1;
    return solver_by_host(job, (real *)hostcheck->spare, sweep<real>, hostcheck_norm<real>);
}

CUDA_ENTRY_BY_FLOAT(jacobi_cuda_hostcheck)

#else

VARIANT(jacobi, cuda_hostcheck) = {
    .summary = "one GPU thread for each row, the residual computed on the CPU",
    .summary_ru = "поток GPU на строку, невязка вычисляется на CPU",
    .source = "granular",
    .precisions = FLOATS,
    .unit = UNIT_MEMORY,
    .typical_gflops = 1,
};

#endif
