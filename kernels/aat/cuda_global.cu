/* C = A A^T with one GPU thread for each element of C, which the thread sums in a register.
 * A (n x k) and C (n x n) are row-major, read from global memory through the caches. n and k are any (edges are
 * guarded); n up to 65535 x tile.
 * Blocks of tile x tile threads cover C, with x along its rows. A warp writes C coalesced. Its loads of the second
 * factor are not coalesced: each column of C takes them from another row of A.
 * This is the first rung on the GPU. Source: lab5 (global).
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifdef __CUDACC__

template <typename real>
__global__ void aat_global(int64_t n, int64_t k, const real *__restrict__ a, real *__restrict__ c)
{
    const int64_t row = (int64_t)blockIdx.y * blockDim.y + threadIdx.y;
    const int64_t col = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n || col >= n)
        return;
    real sum = 0;
    for (int64_t l = 0; l < k; l++)
        sum += a[row * k + l] * a[col * k + l];
    c[row * n + col] = sum;
}

template <typename real> static int launch(struct job *job)
{
    const struct cell *cell = job->cell;
    const unsigned tile = (unsigned)cell->tile;
    const dim3 block(tile, tile);
    const unsigned blocks = (unsigned)((cell->n + tile - 1) / tile);
    aat_global<<<dim3(blocks, blocks), block, 0, (cudaStream_t)job->stream>>>(
        cell->n, cell->k, (const real *)job->operand[0], (real *)job->operand[1]);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

CUDA_ENTRY_BY_FLOAT(aat_cuda_global)

#else
#include "common/smem_tiles.h"

static const char *reject(const struct cell *cell)
{
    if (cell->tile < 2 || cell->tile > 32)
        return cell_reason("a thread block has 2 x 2 to 32 x 32 threads; tile is %lld", (long long)cell->tile);
    return cuda_rows_reason("n", cell->n, cell->tile);
}

/* A pass of the outer loop is one l. */
static struct geometry geometry(const struct cell *cell)
{
    struct geometry geometry = smem_geometry(cell);
    geometry.passes = cell->k;
    return geometry;
}

static int64_t shared_bytes(const struct cell *cell)
{
    (void)cell;
    return 0;
}

/* a[row][l] or a[col][l], for threads that have an element of C. */
static int64_t load(const struct execution *at, int x, int y, bool of_row)
{
    const int64_t n = at->cell->n, k = at->cell->k, tile = at->cell->tile;
    const int64_t row = at->block_y * tile + y, col = at->block_x * tile + x;
    if (row >= n || col >= n)
        return INACTIVE;
    return smem_global(at->cell, n, k, of_row ? row : col, at->pass);
}

static int64_t load_row(const struct execution *at, int x, int y)
{
    return load(at, x, y, true);
}

static int64_t load_col(const struct execution *at, int x, int y)
{
    return load(at, x, y, false);
}

static const struct access sites[] = {
    {"load of a[row][l]", SPACE_GLOBAL, DIRECTION_LOAD, .width = smem_element_width, .offset = load_row},
    {"load of a[col][l]", SPACE_GLOBAL, DIRECTION_LOAD, .width = smem_element_width, .offset = load_col},
    {"store of C", SPACE_GLOBAL, DIRECTION_STORE, .once = true, .width = smem_element_width, .offset = smem_store_c},
    {0},
};

static const struct accesses accesses = {geometry, shared_bytes, sites};

VARIANT(aat, cuda_global) = {
    .summary = "one thread for each element of C, the sum in a register",
    .summary_ru = "один поток на элемент C, сумма в регистре",
    .source = "lab5",
    .precisions = FLOATS,
    .axes = HONOURS(tile),
    .defaults = {.tile = 32},
    .unit = UNIT_FMA,
    .accesses = &accesses,
    .typical_gflops = 1000,
    .reject = reject,
};

#endif
