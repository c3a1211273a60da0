/* C = A A^T as in cuda-b, but the elements of each row of the transposed tile are permuted.
 * A (n x k) and C (n x n) are row-major; n and k are multiples of the tile; n up to 65535 x tile.
 * A block of tile x tile threads owns a tile of C. In each pass along k, a thread loads one element of either tile.
 * Element (x, y) lies in row x and column y XOR f(x). f(x) is x, rounded down to a multiple of the rows that fit in 128
 * bytes, the width of all banks. There are no bank conflicts, and unlike in cuda-b-pad no memory is unused.
 * Source: tilelab, after CUTLASS.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

/* The tiles that the kernel is built for. */
#define TILES(EACH) EACH(8) EACH(16) EACH(32)

#ifdef __CUDACC__

/* f(row). Rows in the same 128 bytes start at different banks, and f is the same for them. For rows in different 128
 * bytes f differs, and moves the elements of a column to different banks. */
template <typename real, int TILE> __device__ static inline int swizzle(int row)
{
    constexpr int row_bytes = TILE * sizeof(real);
    constexpr int rows_a_line = row_bytes < 128 ? 128 / row_bytes : 1;
    return row / rows_a_line * rows_a_line;
}

template <typename real, int TILE>
__global__ void __launch_bounds__((TILE * TILE))
    aat_swizzle(int64_t n, int64_t k, const real *__restrict__ a, real *__restrict__ c)
{
    __shared__ real a_tile[TILE][TILE], b_tile[TILE][TILE];
    const int y = threadIdx.y, x = threadIdx.x;
    const int64_t first_row = (int64_t)blockIdx.y * TILE, first_col = (int64_t)blockIdx.x * TILE;
    real sum = 0;
    for (int64_t first = 0; first < k; first += TILE) {
        a_tile[y][x] = a[(first_row + y) * k + first + x];
        b_tile[x][y ^ swizzle<real, TILE>(x)] = a[(first_col + y) * k + first + x];
        __syncthreads(); /* both tiles are complete before any thread reads them */
#pragma unroll
        for (int l = 0; l < TILE; l++)
            sum += a_tile[y][l] * b_tile[l][x ^ swizzle<real, TILE>(l)];
        __syncthreads(); /* all threads have read the tiles before the next pass overwrites them */
    }
    c[(first_row + y) * n + first_col + x] = sum;
}

template <typename real, int TILE> static int launch_tile(struct job *job)
{
    const struct cell *cell = job->cell;
    const dim3 block(TILE, TILE);
    const dim3 grid((unsigned)(cell->n / TILE), (unsigned)(cell->n / TILE));
    aat_swizzle<real, TILE><<<grid, block, 0, (cudaStream_t)job->stream>>>(
        cell->n, cell->k, (const real *)job->operand[0], (real *)job->operand[1]);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

CUDA_LAUNCH_BY_TILE(TILES)
CUDA_ENTRY_BY_FLOAT(aat_cuda_swizzle)

#else
#include "common/smem_tiles.h"

static const char *reject(const struct cell *cell)
{
    return smem_square_reason(cell, smem_two_tiles_bytes(cell), CUDA_LIST(TILES));
}

/* b_tile[row][col ^ swizzle(row)] */
static int64_t swizzled(const struct cell *cell, int64_t row, int64_t col)
{
    const int64_t row_bytes = cell->tile * cell_element_bytes(cell);
    const int64_t rows_a_line = row_bytes < 128 ? 128 / row_bytes : 1;
    return smem_b(cell, cell->tile, row, col ^ (row / rows_a_line * rows_a_line));
}

/* b_tile[x][y ^ swizzle(x)] = */
static int64_t store_b_tile(const struct execution *at, int x, int y)
{
    return swizzled(at->cell, x, y);
}

/* b_tile[l][x ^ swizzle(l)], l = step */
static int64_t read_b_tile(const struct execution *at, int x, int y)
{
    (void)y;
    return swizzled(at->cell, at->step, x);
}

static const struct access sites[] = {
    SMEM_SITES(NULL, smem_load_at, store_b_tile, read_b_tile),
    {0},
};

static const struct accesses accesses = {smem_geometry, smem_two_tiles_bytes, sites};

VARIANT(aat, cuda_swizzle) = {
    .summary = "cuda-b with an XOR swizzle of the transposed tile instead of padding",
    .summary_ru = "cuda-b с перестановкой XOR транспонированного тайла вместо дополнения",
    .source = "tilelab",
    .precisions = FLOATS,
    .axes = HONOURS(tile),
    .defaults = {.tile = 32},
    .unit = UNIT_FMA,
    .accesses = &accesses,
    .typical_gflops = 7000,
    .reject = reject,
};

#endif
