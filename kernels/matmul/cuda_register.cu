/* C = A B by shared-memory tiles of A and B, with an 8 x 8 tile of C in the registers of each thread.
 * A (m x k), B (k x n) and C (m x n) are row-major; any shape, m up to 65535 x 128; zeros stand for elements outside.
 * A block of 16 x 16 threads owns 128 x 128 elements of C; thread (x, y) owns their rows y + 16 i and columns x + 16 j.
 * In each pass along k, the block loads 128 x 8 elements of A and 8 x 128 of B, four of each a thread.
 * Differs from cuda-shared-x4: a thread uses each element that it reads for eight products, those of A and those of B.
 * Source: tilelab, after Volkov and Demmel (2008).
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

/* A block owns BM x BN elements of C, and a thread TM x TN of them. A pass takes BK elements along k. */
enum { BM = 128, BN = 128, BK = 8, TM = 8, TN = 8, SIDE = BM / TM };

#ifdef __CUDACC__

enum { THREADS = SIDE * SIDE };

template <typename real>
__global__ void __launch_bounds__(THREADS, 8 / sizeof(real))
    matmul_register(int64_t m, int64_t n, int64_t k, const real *__restrict__ a, const real *__restrict__ b,
                    real *__restrict__ c)
{
    __shared__ real a_tile[BM][BK], b_tile[BK][BN];
    const int thread = threadIdx.x, x = thread % SIDE, y = thread / SIDE;
    const int64_t first_row = (int64_t)blockIdx.y * BM, first_col = (int64_t)blockIdx.x * BN;
    real sum[TM][TN] = {};
    for (int64_t first = 0; first < k; first += BK) {
#pragma unroll
        for (int part = 0; part < BM * BK; part += THREADS) {
            const int e = part + thread;
            const int64_t row = first_row + e / BK, l = first + e % BK;
            a_tile[e / BK][e % BK] = row < m && l < k ? a[row * k + l] : real(0);
        }
#pragma unroll
        for (int part = 0; part < BK * BN; part += THREADS) {
            const int e = part + thread;
            const int64_t l = first + e / BN, col = first_col + e % BN;
            b_tile[e / BN][e % BN] = l < k && col < n ? b[l * n + col] : real(0);
        }
        __syncthreads(); /* both tiles are complete before any thread reads them */
#pragma unroll
        for (int l = 0; l < BK; l++) {
            real left[TM], right[TN];
#pragma unroll
            for (int i = 0; i < TM; i++)
                left[i] = a_tile[y + i * SIDE][l];
#pragma unroll
            for (int j = 0; j < TN; j++)
                right[j] = b_tile[l][x + j * SIDE];
#pragma unroll
            for (int i = 0; i < TM; i++)
#pragma unroll
                for (int j = 0; j < TN; j++)
                    sum[i][j] += left[i] * right[j];
        }
        __syncthreads(); /* all threads have read the tiles before the next pass overwrites them */
    }
#pragma unroll
    for (int i = 0; i < TM; i++)
#pragma unroll
        for (int j = 0; j < TN; j++) {
            const int64_t row = first_row + y + i * SIDE, col = first_col + x + j * SIDE;
            if (row < m && col < n)
                c[row * n + col] = sum[i][j];
        }
}

template <typename real> static int launch(struct job *job)
{
    const struct cell *cell = job->cell;
    const dim3 grid((unsigned)((cell->n + BN - 1) / BN), (unsigned)((cell->m + BM - 1) / BM));
    matmul_register<real>
        <<<grid, THREADS, 0, (cudaStream_t)job->stream>>>(cell->m, cell->n, cell->k, (const real *)job->operand[0],
                                                          (const real *)job->operand[1], (real *)job->operand[2]);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

CUDA_ENTRY_BY_PRECISION(matmul_cuda_register)

#else

#include "common/register_tiles.h"

static struct geometry geometry(const struct cell *cell)
{
    return register_tiles_geometry(cell, BK);
}

static int64_t shared_bytes(const struct cell *cell)
{
    return (BM * BK + BK * BN) * cell_element_bytes(cell);
}

/* A thread moves so many elements of a tile from global to shared memory. */
static int64_t copy_steps(const struct cell *cell)
{
    (void)cell;
    return BM * BK / REGISTER_TILES_THREADS;
}

static int64_t load_a(const struct execution *at, int x, int y)
{
    (void)y;
    return register_tiles_a(at, BK, register_tiles_element(x, at->step, 1));
}

static int64_t load_b(const struct execution *at, int x, int y)
{
    (void)y;
    return register_tiles_b(at, BK, register_tiles_element(x, at->step, 1));
}

static int64_t store_a_tile(const struct execution *at, int x, int y)
{
    (void)y;
    return register_tiles_element(x, at->step, 1) * cell_element_bytes(at->cell);
}

static int64_t store_b_tile(const struct execution *at, int x, int y)
{
    return BM * BK * cell_element_bytes(at->cell) + store_a_tile(at, x, y);
}

/* The compiler reads a row of a_tile by vectors of 16 bytes, because the loop over l is unrolled. */
static int64_t read_a_steps(const struct cell *cell)
{
    return TM * BK / register_tiles_vector(cell);
}

/* a_tile[y + i * 16][l], l a multiple of the vector */
static int64_t read_a_tile(const struct execution *at, int x, int y)
{
    const int64_t vector = register_tiles_vector(at->cell), of_row = BK / vector;
    (void)y;
    return ((x / SIDE + at->step / of_row * SIDE) * BK + at->step % of_row * vector) * cell_element_bytes(at->cell);
}

static int64_t read_b_steps(const struct cell *cell)
{
    (void)cell;
    return BK * TN;
}

/* b_tile[l][x + j * 16] */
static int64_t read_b_tile(const struct execution *at, int x, int y)
{
    (void)y;
    return (BM * BK + at->step / TN * BN + x % SIDE + at->step % TN * SIDE) * cell_element_bytes(at->cell);
}

static int64_t store_c_steps(const struct cell *cell)
{
    (void)cell;
    return TM * TN;
}

static int64_t store_c(const struct execution *at, int x, int y)
{
    (void)y;
    return register_tiles_c(at, x / SIDE + at->step / TN * SIDE, x % SIDE + at->step % TN * SIDE);
}

static const struct access sites[] = {
    {"load for a_tile", SPACE_GLOBAL, DIRECTION_LOAD, .width = register_tiles_element_width, .steps = copy_steps,
     .offset = load_a},
    {"load for b_tile", SPACE_GLOBAL, DIRECTION_LOAD, .width = register_tiles_element_width, .steps = copy_steps,
     .offset = load_b},
    {"store to a_tile", SPACE_SHARED, DIRECTION_STORE, .width = register_tiles_element_width, .steps = copy_steps,
     .offset = store_a_tile},
    {"store to b_tile", SPACE_SHARED, DIRECTION_STORE, .width = register_tiles_element_width, .steps = copy_steps,
     .offset = store_b_tile},
    {"read of a_tile", SPACE_SHARED, DIRECTION_LOAD, .width = register_tiles_vector_width, .steps = read_a_steps,
     .offset = read_a_tile},
    {"read of b_tile", SPACE_SHARED, DIRECTION_LOAD, .width = register_tiles_element_width, .steps = read_b_steps,
     .offset = read_b_tile},
    {"store of C", SPACE_GLOBAL, DIRECTION_STORE, .once = true, .width = register_tiles_element_width,
     .steps = store_c_steps, .offset = store_c},
    {0},
};

static const struct accesses accesses = {geometry, shared_bytes, sites};

static const char *reject(const struct cell *cell)
{
    return cuda_rows_reason("m", cell->m, BM);
}

VARIANT(matmul, cuda_register) = {
    .summary = "tiles of C in registers, 8 x 8 elements for each thread",
    .summary_ru = "тайлы C в регистрах, 8 x 8 элементов на поток",
    .source = "tilelab",
    .precisions = ALL_PRECISIONS,
    .unit = UNIT_FMA,
    .accesses = &accesses,
    .typical_gflops = 25000,
    .reject = reject,
};

#endif
