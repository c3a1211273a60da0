/* C = A B by square tiles in shared memory, with four elements of C a thread.
 * A (m x k), B (k x n), C (m x n) are row-major; m, n, k are multiples of the tile (no guards); m up to 65535 x tile.
 * A block of tile x tile/4 threads owns a tile of C. In each pass along k, a thread loads four elements of either tile.
 * It sums four elements of one column of C, which lie tile/4 rows apart. The inner loop is unrolled by 2.
 * Differs from cuda-shared: a thread uses each element that it reads of B's tile for four products.
 * Source: oneapi block+.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

/* The tiles that the kernel is built for. */
#define TILES(EACH) EACH(4) EACH(8) EACH(16) EACH(32)

/* Elements of C of a thread, in one column. */
enum { TM = 4 };

#ifdef __CUDACC__

template <typename real, int TILE>
__global__ void __launch_bounds__((TILE * TILE) / TM)
    matmul_shared_x4(int64_t n, int64_t k, const real *__restrict__ a, const real *__restrict__ b, real *__restrict__ c)
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

template <typename real, int TILE> static int launch_tile(struct job *job)
{
    const struct cell *cell = job->cell;
    const dim3 block(TILE, TILE / TM);
    const dim3 grid((unsigned)(cell->n / TILE), (unsigned)(cell->m / TILE));
    matmul_shared_x4<real, TILE><<<grid, block, 0, (cudaStream_t)job->stream>>>(
        cell->n, cell->k, (const real *)job->operand[0], (const real *)job->operand[1], (real *)job->operand[2]);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

CUDA_LAUNCH_BY_TILE(TILES)
CUDA_ENTRY_BY_PRECISION(matmul_cuda_shared_x4)

#else
#include "common/smem_tiles.h"

static const char *reject(const struct cell *cell)
{
    const int64_t tile = cell->tile;
    const char *reason = cuda_block_reason(tile, tile * tile / TM, smem_two_tiles_bytes(cell));
    reason = reason ? reason : cuda_built_reason("tile", tile, CUDA_LIST(TILES));
    reason = reason ? reason : cuda_multiple_reason("m", cell->m, tile);
    reason = reason ? reason : cuda_multiple_reason("n", cell->n, tile);
    reason = reason ? reason : cuda_multiple_reason("k", cell->k, tile);
    return reason ? reason : cuda_rows_reason("m", cell->m, tile);
}

static struct geometry geometry(const struct cell *cell)
{
    struct geometry geometry = smem_geometry(cell);
    geometry.threads_y /= TM;
    return geometry;
}

static int64_t each_row(const struct cell *cell)
{
    (void)cell;
    return TM;
}

/* The row of the tile that a thread accesses in step i: y + i * APART. */
static int row_of(const struct execution *at, int y)
{
    return y + (int)(at->step * at->cell->tile / TM);
}

static int64_t load_a(const struct execution *at, int x, int y)
{
    return smem_load_a(at, x, row_of(at, y));
}

/* b[first + y + i * APART][col] */
static int64_t load_b(const struct execution *at, int x, int y)
{
    const struct cell *cell = at->cell;
    return smem_global(cell, cell->k, cell->n, at->pass * cell->tile + row_of(at, y), at->block_x * cell->tile + x);
}

static int64_t store_a_tile(const struct execution *at, int x, int y)
{
    return smem_store_a_tile(at, x, row_of(at, y));
}

static int64_t store_b_tile(const struct execution *at, int x, int y)
{
    return smem_store_b_tile(at, x, row_of(at, y));
}

static int64_t store_c(const struct execution *at, int x, int y)
{
    return smem_store_c(at, x, row_of(at, y));
}

/* The loop over l is unrolled by 2: the compiler reads two neighbours in a row of a_tile with one load. */
static int pair_width(const struct cell *cell)
{
    return 2 * (int)cell_element_bytes(cell);
}

static int64_t pair_steps(const struct cell *cell)
{
    return TM * cell->tile / 2;
}

/* a_tile[y + i * APART][l] and the next element: step 4 l / 2 + i */
static int64_t read_a_tile(const struct execution *at, int x, int y)
{
    const struct execution row = {.cell = at->cell, .step = at->step % TM};
    (void)x;
    return smem_a(at->cell, row_of(&row, y), at->step / TM * 2);
}

static const struct access sites[] = {
    {"load for a_tile", SPACE_GLOBAL, DIRECTION_LOAD, .width = smem_element_width, .steps = each_row, .offset = load_a},
    {"load for b_tile", SPACE_GLOBAL, DIRECTION_LOAD, .width = smem_element_width, .steps = each_row, .offset = load_b},
    {"store to a_tile", SPACE_SHARED, DIRECTION_STORE, .width = smem_element_width, .steps = each_row,
     .offset = store_a_tile},
    {"store to b_tile", SPACE_SHARED, DIRECTION_STORE, .width = smem_element_width, .steps = each_row,
     .offset = store_b_tile},
    {"read of a_tile", SPACE_SHARED, DIRECTION_LOAD, .width = pair_width, .steps = pair_steps, .offset = read_a_tile},
    {"read of b_tile", SPACE_SHARED, DIRECTION_LOAD, .width = smem_element_width, .steps = smem_element_steps,
     .offset = smem_read_b_tile},
    {"store of C", SPACE_GLOBAL, DIRECTION_STORE, .once = true, .width = smem_element_width, .steps = each_row,
     .offset = store_c},
    {0},
};

static const struct accesses accesses = {geometry, smem_two_tiles_bytes, sites};

VARIANT(matmul, cuda_shared_x4) = {
    .summary = "cuda-shared with four elements of C for each thread",
    .summary_ru = "cuda-shared с четырьмя элементами C на поток",
    .source = "oneapi",
    .precisions = ALL_PRECISIONS,
    .axes = HONOURS(tile),
    .defaults = {.tile = 32},
    .unit = UNIT_FMA,
    .accesses = &accesses,
    .typical_gflops = 10000,
    .reject = reject,
};

#endif
