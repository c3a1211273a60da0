/* x of A x = b by Jacobi's method, a thread a row, with x in shared-memory tiles.
 * A (n x n) is diagonally dominant and row-major; n is any. A thread block has `tile` threads, 1 to 1024.
 * Each thread loads one element of a tile of x. Then it multiplies the whole tile by its part of a row.
 * A separate kernel computes the residual, a warp a row, and the host reads its norm in every sweep.
 * Differs from cuda-global: the tile of x, and with it the size of a thread block.
 * Source: granular.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifdef __CUDACC__

#include "common/solver_device.cuh"

template <typename real>
__global__ void __launch_bounds__(1024)
    jacobi_tiled(int64_t n, real omega, const real *__restrict__ a, const real *__restrict__ b,
                 const real *__restrict__ now, real *__restrict__ next)
{
    extern __shared__ __align__(16) unsigned char memory[];
    real *const x_tile = (real *)memory;
    const int tile = blockDim.x;
    const int64_t row = (int64_t)blockIdx.x * tile + threadIdx.x;
    real sum = 0;
    for (int64_t first = 0; first < n; first += tile) {
        const int count = (int)min((int64_t)tile, n - first);
        if (threadIdx.x < count)
            x_tile[threadIdx.x] = now[first + threadIdx.x];
        __syncthreads(); /* the tile is complete before anyone reads it */
        if (row < n)
            for (int l = 0; l < count; l++)
                if (first + l != row)
                    sum += a[row * n + first + l] * x_tile[l];
        __syncthreads(); /* everyone has read the tile before the next one overwrites it */
    }
    if (row < n)
        next[row] = (1 - omega) * now[row] + omega * (b[row] - sum) / a[row * n + row];
}

template <typename real> static int sweep(struct job *job, const real *now, real *next)
{
    const int64_t n = job->cell->n, tile = job->cell->tile;
    jacobi_tiled<<<(unsigned)((n + tile - 1) / tile), (unsigned)tile, (size_t)tile * sizeof(real),
                   (cudaStream_t)job->stream>>>(n, (real)solver_rule_of(job->cell).omega,
                                                (const real *)job->operand[SOLVER_A],
                                                (const real *)job->operand[SOLVER_B], now, next);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

CUDA_ENTRY int jacobi_cuda_tiled_prepare(struct job *job)
{
    return solver_work_prepare(job);
}

CUDA_ENTRY void jacobi_cuda_tiled_release(struct job *job)
{
    solver_work_release(job);
}

template <typename real> static int launch(struct job *job)
{
    const struct solver_work *work = (const struct solver_work *)job->state;
    return solver_by_host(job, (real *)work->spare, sweep<real>, solver_norm<real>);
}

CUDA_ENTRY_BY_FLOAT(jacobi_cuda_tiled)

#else

static const char *reject(const struct cell *cell)
{
    if (cell->tile > 1024)
        return cell_reason("a block of %lld threads; CUDA's limit is 1024", (long long)cell->tile);
    return NULL;
}

VARIANT(jacobi, cuda_tiled) = {
    .summary = "one thread for each row, x in tiles in shared memory",
    .summary_ru = "поток на строку, тайлы x в разделяемой памяти",
    .source = "granular",
    .precisions = FLOATS,
    .axes = HONOURS(tile),
    .defaults = {.tile = 16},
    .unit = UNIT_MEMORY,
    .typical_gflops = 20,
    .reject = reject,
};

#endif
