/* C = A B by square tiles in shared memory, with `elements` elements of C a thread: 1, 2, 4 or 8.
 * A (m x k), B (k x n), C (m x n) are row-major; m, n, k are multiples of the tile (no guards); m up to 65535 x tile.
 * A block of tile x tile/elements threads owns a tile of C. A thread loads and sums its elements in one column, tile
 * over elements rows apart. The inner loop is unrolled by 2.
 * Differs from cuda-shared-x4: the number of elements is an axis. Source: oneapi block+.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

/* The tiles and the numbers of elements that the kernel is built for. */
#define TILES(EACH) EACH(16) EACH(32)
#define ELEMENTS(EACH) EACH(1) EACH(2) EACH(4) EACH(8)

#ifdef __CUDACC__

template <typename real, int TILE, int TM>
__global__ void __launch_bounds__((TILE * TILE) / TM)
    matmul_shared_xn(int64_t n, int64_t k, const real *__restrict__ a, const real *__restrict__ b, real *__restrict__ c)
{
    enum { APART = TILE / TM };
    __shared__ real a_tile[TILE][TILE], b_tile[TILE][TILE];
    const int y = threadIdx.y, x = threadIdx.x; /* y < APART */
    const int64_t row = (int64_t)blockIdx.y * TILE + y, col = (int64_t)blockIdx.x * TILE + x;
    real sum[TM] = {};
    for (int64_t first = 0; first < k; first += TILE) {
#pragma unroll
        for (int i = 0; i < TM; i++) {
            a_tile[y + i * APART][x] = a[(row + i * APART) * k + first + x];
            b_tile[y + i * APART][x] = b[(first + y + i * APART) * n + col];
        }
        __syncthreads(); /* both tiles are complete before any thread reads them */
#pragma unroll 2
        for (int l = 0; l < TILE; l++) {
            const real b_element = b_tile[l][x];
#pragma unroll
            for (int i = 0; i < TM; i++)
                sum[i] += a_tile[y + i * APART][l] * b_element;
        }
        __syncthreads(); /* all threads have read the tiles before the next pass overwrites them */
    }
#pragma unroll
    for (int i = 0; i < TM; i++)
        c[(row + i * APART) * n + col] = sum[i];
}

template <typename real, int TILE, int TM> static int launch_elements(struct job *job)
{
    const struct cell *cell = job->cell;
    const dim3 block(TILE, TILE / TM);
    const dim3 grid((unsigned)(cell->n / TILE), (unsigned)(cell->m / TILE));
    matmul_shared_xn<real, TILE, TM><<<grid, block, 0, (cudaStream_t)job->stream>>>(
        cell->n, cell->k, (const real *)job->operand[0], (const real *)job->operand[1], (real *)job->operand[2]);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

template <typename real, int TILE> static int launch_tile(struct job *job)
{
#define ELEMENTS_CASE(elements) \
    case elements: \
        return launch_elements<real, TILE, elements>(job);
    switch (job->cell->elements) {
        ELEMENTS(ELEMENTS_CASE)
    }
    return job_fail(job, "%lld elements have no kernel", (long long)job->cell->elements);
}

CUDA_LAUNCH_BY_TILE(TILES)
CUDA_ENTRY_BY_PRECISION(matmul_cuda_shared_xn)

#else
#include "common/smem_tiles.h"

static const char *reject(const struct cell *cell)
{
    const int64_t tile = cell->tile;
    const char *reason = cuda_block_reason(tile, tile * tile / cell->elements, smem_two_tiles_bytes(cell));
    reason = reason ? reason : cuda_built_reason("tile", tile, CUDA_LIST(TILES));
    reason = reason ? reason : cuda_built_reason("elements", cell->elements, CUDA_LIST(ELEMENTS));
    reason = reason ? reason : cuda_multiple_reason("m", cell->m, tile);
    reason = reason ? reason : cuda_multiple_reason("n", cell->n, tile);
    reason = reason ? reason : cuda_multiple_reason("k", cell->k, tile);
    return reason ? reason : cuda_rows_reason("m", cell->m, tile);
}

VARIANT(matmul, cuda_shared_xn) = {
    .summary = "cuda-shared with a chosen number of elements of C for each thread",
    .summary_ru = "cuda-shared с заданным числом элементов C на поток",
    .source = "oneapi",
    .precisions = ALL_PRECISIONS,
    .axes = HONOURS(tile) | HONOURS(elements),
    .defaults = {.tile = 32, .elements = 4},
    .unit = UNIT_FMA,
    .typical_gflops = 10000,
    .reject = reject,
};

#endif
