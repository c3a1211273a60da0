/* C = A B as in cuda-register, but all accesses to memory move 16 bytes, and the tile of A lies transposed.
 * A (m x k), B (k x n) and C (m x n) are row-major; any shape, m up to 65535 x 128; zeros stand for elements outside.
 * A vector is 16 bytes: 4 or 2 elements. A thread loads vectors along the rows of A and B. It stores the elements of a
 * vector of A one by one in a column of a_tile, so that the elements that it needs together are neighbours there.
 * Rows whose length is no multiple of a vector are loaded and stored by elements.
 * Source: tilelab, after Boehm (2022).
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

/* A block owns BM x BN elements of C, and a thread TM x TN of them. A pass takes BK elements along k. */
enum { BM = 128, BN = 128, BK = 16, TM = 8, TN = 8, SIDE = BM / TM };

#ifdef __CUDACC__

#include "common/vector.cuh"

enum { THREADS = SIDE * SIDE };

/* WIDE: all rows of A, B and C start at multiples of 16 bytes. Thread (x, y) owns the rows of C at V y + i % V, in each
 * 16th group of V rows, and the columns likewise. Columns of a_tile are V longer than they need: a warp's stores, which
 * go to 32 / V columns, then meet different banks. */
template <typename real, bool WIDE>
__global__ void __launch_bounds__(THREADS, 8 / sizeof(real))
    matmul_vector(int64_t m, int64_t n, int64_t k, const real *__restrict__ a, const real *__restrict__ b,
                  real *__restrict__ c)
{
    typedef vector16<real> vector;
    enum { V = vector::COUNT };
    __shared__ __align__(16) real a_tile[BK][BM + V], b_tile[BK][BN];
    const int thread = threadIdx.x, x = thread % SIDE, y = thread / SIDE;
    const int64_t first_row = (int64_t)blockIdx.y * BM, first_col = (int64_t)blockIdx.x * BN;
    real sum[TM][TN] = {};
    for (int64_t first = 0; first < k; first += BK) {
#pragma unroll
        for (int part = 0; part < BM * BK; part += THREADS * V) {
            const int e = part + thread * V;
            const int64_t row = first_row + e / BK, l = first + e % BK;
            const vector loaded = vector16_load<WIDE>(a + row * k + l, row < m ? k - l : 0);
#pragma unroll
            for (int v = 0; v < V; v++)
                a_tile[e % BK + v][e / BK] = loaded.value[v];
        }
#pragma unroll
        for (int part = 0; part < BK * BN; part += THREADS * V) {
            const int e = part + thread * V;
            const int64_t l = first + e / BN, col = first_col + e % BN;
            *(vector *)&b_tile[e / BN][e % BN] = vector16_load<WIDE>(b + l * n + col, l < k ? n - col : 0);
        }
        __syncthreads(); /* both tiles are complete before any thread reads them */
#pragma unroll
        for (int l = 0; l < BK; l++) {
            vector left[TM / V], right[TN / V];
#pragma unroll
            for (int i = 0; i < TM / V; i++)
                left[i] = *(const vector *)&a_tile[l][(i * SIDE + y) * V];
#pragma unroll
            for (int j = 0; j < TN / V; j++)
                right[j] = *(const vector *)&b_tile[l][(j * SIDE + x) * V];
#pragma unroll
            for (int i = 0; i < TM; i++)
#pragma unroll
                for (int j = 0; j < TN; j++)
                    sum[i][j] += left[i / V].value[i % V] * right[j / V].value[j % V];
        }
        __syncthreads(); /* all threads have read the tiles before the next pass overwrites them */
    }
#pragma unroll
    for (int i = 0; i < TM; i++)
#pragma unroll
        for (int j = 0; j < TN; j += V) {
            const int64_t row = first_row + (i / V * SIDE + y) * V + i % V, col = first_col + j * SIDE + x * V;
            vector16_store<WIDE>(c + row * n + col, row < m ? n - col : 0, vector16_of(&sum[i][j]));
        }
}

template <typename real> static int launch(struct job *job)
{
    const struct cell *cell = job->cell;
    const dim3 grid((unsigned)((cell->n + BN - 1) / BN), (unsigned)((cell->m + BM - 1) / BM));
    const bool wide = cell->n % vector16<real>::COUNT == 0 && cell->k % vector16<real>::COUNT == 0;
    const auto kernel = wide ? matmul_vector<real, true> : matmul_vector<real, false>;
    kernel<<<grid, THREADS, 0, (cudaStream_t)job->stream>>>(cell->m, cell->n, cell->k, (const real *)job->operand[0],
                                                            (const real *)job->operand[1], (real *)job->operand[2]);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

CUDA_ENTRY_BY_PRECISION(matmul_cuda_vector)

#else

#include "common/register_tiles.h"

/* a_tile[l], 16 vectors apart for a thread */
static int64_t read_a_tile(const struct execution *at, int x, int y)
{
    const int64_t vector = register_tiles_vector(at->cell);
    (void)y;
    return vector_tiles_read_a(at, x / SIDE * vector, SIDE * vector);
}

/* b_tile[l] likewise */
static int64_t read_b_tile(const struct execution *at, int x, int y)
{
    const int64_t vector = register_tiles_vector(at->cell);
    (void)y;
    return vector_tiles_read_b(at, x % SIDE * vector, SIDE * vector);
}

static int64_t store_c(const struct execution *at, int x, int y)
{
    const int64_t vector = register_tiles_vector(at->cell);
    (void)y;
    return vector_tiles_store_c(at, x / SIDE * vector, SIDE * vector, x % SIDE * vector, SIDE * vector);
}

static const struct access sites[] = {
    VECTOR_TILES_SITES(read_a_tile, read_b_tile, store_c),
    {0},
};

static const struct accesses accesses = {vector_tiles_geometry, vector_tiles_shared_bytes, sites};

static const char *reject(const struct cell *cell)
{
    return cuda_rows_reason("m", cell->m, BM);
}

VARIANT(matmul, cuda_vector) = {
    .summary = "cuda-register with 16-byte loads and stores, and the tile of A transposed",
    .summary_ru = "cuda-register с загрузками и записями по 16 байт и транспонированным тайлом A",
    .source = "tilelab",
    .precisions = ALL_PRECISIONS,
    .unit = UNIT_FMA,
    .accesses = &accesses,
    .typical_gflops = 32000,
    .reject = reject,
};

#endif
