/* C = A B by shared-memory tiles of A and B, with an 8 x 8 tile of C in the registers of each thread.
 * A (m x k), B (k x n) and C (m x n) are row-major; any shape, m up to 65535 x 128; zeros stand for elements outside.
 * A block of 16 x 16 threads owns 128 x 128 elements of C; thread (x, y) owns their rows y + 16 i and columns x + 16 j.
 * In each pass along k, the block loads 128 x 8 elements of A and 8 x 128 of B, four of each a thread.
 * Differs from cuda-shared-x4: a thread uses each element that it reads for eight products, those of A and those of B.
 * Source: tilelab.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

/* Elements of C of a block along m and n, and elements of k in a pass. */
enum { M = 128, N = 128, K = 8 };

#ifdef __CUDACC__

enum { SIDE = 16, ROWS = M / SIDE, COLS = N / SIDE, THREADS = SIDE * SIDE };

template <typename real>
__global__ void __launch_bounds__(THREADS, 8 / sizeof(real))
    matmul_register(int64_t m, int64_t n, int64_t k, const real *__restrict__ a, const real *__restrict__ b,
                    real *__restrict__ c)
{
    __shared__ real a_tile[M][K], b_tile[K][N];
    const int thread = threadIdx.x, x = thread % SIDE, y = thread / SIDE;
    const int64_t first_row = (int64_t)blockIdx.y * M, first_col = (int64_t)blockIdx.x * N;
    real sum[ROWS][COLS] = {};
    for (int64_t first = 0; first < k; first += K) {
#pragma unroll
        for (int part = 0; part < M * K; part += THREADS) {
            const int e = part + thread;
            const int64_t row = first_row + e / K, l = first + e % K;
            a_tile[e / K][e % K] = row < m && l < k ? a[row * k + l] : real(0);
        }
#pragma unroll
        for (int part = 0; part < K * N; part += THREADS) {
            const int e = part + thread;
            const int64_t l = first + e / N, col = first_col + e % N;
            b_tile[e / N][e % N] = l < k && col < n ? b[l * n + col] : real(0);
        }
        __syncthreads(); /* both tiles are complete before any thread reads them */
#pragma unroll
        for (int l = 0; l < K; l++) {
            real left[ROWS], right[COLS];
#pragma unroll
            for (int i = 0; i < ROWS; i++)
                left[i] = a_tile[y + i * SIDE][l];
#pragma unroll
            for (int j = 0; j < COLS; j++)
                right[j] = b_tile[l][x + j * SIDE];
#pragma unroll
            for (int i = 0; i < ROWS; i++)
#pragma unroll
                for (int j = 0; j < COLS; j++)
                    sum[i][j] += left[i] * right[j];
        }
        __syncthreads(); /* all threads have read the tiles before the next pass overwrites them */
    }
#pragma unroll
    for (int i = 0; i < ROWS; i++)
#pragma unroll
        for (int j = 0; j < COLS; j++) {
            const int64_t row = first_row + y + i * SIDE, col = first_col + x + j * SIDE;
            if (row < m && col < n)
                c[row * n + col] = sum[i][j];
        }
}

template <typename real> static int launch(struct job *job)
{
    const struct cell *cell = job->cell;
    const dim3 grid((unsigned)((cell->n + N - 1) / N), (unsigned)((cell->m + M - 1) / M));
    matmul_register<real>
        <<<grid, THREADS, 0, (cudaStream_t)job->stream>>>(cell->m, cell->n, cell->k, (const real *)job->operand[0],
                                                          (const real *)job->operand[1], (real *)job->operand[2]);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

CUDA_ENTRY_BY_PRECISION(matmul_cuda_register)

#else

#include "common/register_tiles.h"

enum { LANES = 16, OWN = M / LANES }; /* a thread owns OWN x OWN elements of C */

static struct geometry geometry(const struct cell *cell)
{
    return register_tiles_geometry(cell, K);
}

static int64_t shared_bytes(const struct cell *cell)
{
    return (M * K + K * N) * cell_element_bytes(cell);
}

/* A thread moves so many elements of a tile from global to shared memory. */
static int64_t copy_steps(const struct cell *cell)
{
    (void)cell;
    return M * K / REGISTER_TILES_THREADS;
}

static int64_t load_a(const struct execution *at, int x, int y)
{
    (void)y;
    return register_tiles_a(at, K, register_tiles_element(x, at->step, 1));
}

static int64_t load_b(const struct execution *at, int x, int y)
{
    (void)y;
    return register_tiles_b(at, K, register_tiles_element(x, at->step, 1));
}

static int64_t store_a_tile(const struct execution *at, int x, int y)
{
    (void)y;
    return register_tiles_element(x, at->step, 1) * cell_element_bytes(at->cell);
}

static int64_t store_b_tile(const struct execution *at, int x, int y)
{
    return M * K * cell_element_bytes(at->cell) + store_a_tile(at, x, y);
}

/* The compiler reads a row of a_tile by vectors of 16 bytes, because the loop over l is unrolled. */
static int64_t read_a_steps(const struct cell *cell)
{
    return OWN * K / register_tiles_vector(cell);
}

/* a_tile[y + i * 16][l], l a multiple of the vector */
static int64_t read_a_tile(const struct execution *at, int x, int y)
{
    const int64_t vector = register_tiles_vector(at->cell), of_row = K / vector;
    (void)y;
    return ((x / LANES + at->step / of_row * LANES) * K + at->step % of_row * vector) * cell_element_bytes(at->cell);
}

static int64_t read_b_steps(const struct cell *cell)
{
    (void)cell;
    return K * OWN;
}

/* b_tile[l][x + j * 16] */
static int64_t read_b_tile(const struct execution *at, int x, int y)
{
    (void)y;
    return (M * K + at->step / OWN * N + x % LANES + at->step % OWN * LANES) * cell_element_bytes(at->cell);
}

static int64_t store_c_steps(const struct cell *cell)
{
    (void)cell;
    return OWN * OWN;
}

static int64_t store_c(const struct execution *at, int x, int y)
{
    (void)y;
    return register_tiles_c(at, x / LANES + at->step / OWN * LANES, x % LANES + at->step % OWN * LANES);
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
    return cuda_rows_reason("m", cell->m, M);
}

VARIANT(matmul, cuda_register) = {
    .summary = "tiles of C in registers, 8 x 8 elements for each thread",
    .source = "tilelab",
    .precisions = ALL_PRECISIONS,
    .unit = UNIT_FMA,
    .accesses = &accesses,
    .typical_gflops = 25000,
    .reject = reject,
};

#endif
