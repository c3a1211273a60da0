/* A = L U in place. Each step divides the column below the pivot by the pivot. Then it subtracts the product of this
 * column and the pivot's row from the rest of the matrix.
 * A (n x n) is row-major and contiguous; n is at most 65535 x 8.
 * A step launches two kernels: a thread for each element of the column, then one for each element of the rest. The
 * order of kernels on the stream is the only barrier. There is no pivoting: the run fails at a pivot that is 0.
 * Source: feup.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifdef __CUDACC__

#include "bad_pivot.cuh"

enum { COLUMN_THREADS = 256, BLOCK_COLS = 32, BLOCK_ROWS = 8 };

template <typename real> __global__ void lu_naive_column(int64_t n, int64_t k, real *a, lu_bad_pivot *bad_pivot)
{
    const int64_t first = (int64_t)blockIdx.x * COLUMN_THREADS + threadIdx.x, row = k + 1 + first;
    const real pivot = a[k * n + k];
    if (first == 0)
        lu_bad_pivot_note(bad_pivot, k, (double)pivot);
    if (row < n)
        a[row * n + k] /= pivot;
}

template <typename real> __global__ void lu_naive_rest(int64_t n, int64_t k, real *a)
{
    const int64_t row = k + 1 + (int64_t)blockIdx.y * BLOCK_ROWS + threadIdx.y;
    const int64_t col = k + 1 + (int64_t)blockIdx.x * BLOCK_COLS + threadIdx.x;
    if (row < n && col < n)
        a[row * n + col] -= a[row * n + k] * a[k * n + col];
}

static unsigned blocks(int64_t elements, int64_t each)
{
    return (unsigned)((elements + each - 1) / each);
}

template <typename real> static int launch(struct job *job)
{
    const int64_t n = job->cell->n;
    const cudaStream_t stream = (cudaStream_t)job->stream;
    real *a = (real *)job->operand[0];
    for (int64_t k = 0; k < n; k++) {
        const int64_t rest = n - k - 1;
        /* The last step has no column below its pivot, but one thread must still check the pivot. */
        lu_naive_column<<<blocks(rest > 0 ? rest : 1, COLUMN_THREADS), COLUMN_THREADS, 0, stream>>>(
            n, k, a, (lu_bad_pivot *)job->state);
        if (rest > 0)
            lu_naive_rest<<<dim3(blocks(rest, BLOCK_COLS), blocks(rest, BLOCK_ROWS)), dim3(BLOCK_COLS, BLOCK_ROWS), 0,
                            stream>>>(n, k, a);
    }
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

CUDA_ENTRY int lu_cuda_naive_prepare(struct job *job)
{
    job->state = lu_bad_pivot_new(job);
    return job->state ? 0 : -1;
}

CUDA_ENTRY_BY_FLOAT(lu_cuda_naive)

CUDA_ENTRY int lu_cuda_naive_check(struct job *job)
{
    return lu_bad_pivot_check(job, (lu_bad_pivot *)job->state);
}

CUDA_ENTRY void lu_cuda_naive_release(struct job *job)
{
    cudaFree(job->state);
    job->state = NULL;
}

#else

static const char *reject(const struct cell *cell)
{
    return cuda_rows_reason("n", cell->n, 8);
}

VARIANT(lu, cuda_naive) = {
    .summary = "right-looking, two kernels a step: pivot column, then rank-1 update",
    .summary_ru = "два ядра на шаг: ведущий столбец, затем обновление ранга 1",
    .source = "feup",
    .precisions = FLOATS,
    .typical_gflops = 200,
    .reject = reject,
};

#endif
