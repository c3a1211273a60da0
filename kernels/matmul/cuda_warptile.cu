/* C = A B as in cuda-vector, but each warp owns a rectangle of C, and fragments are loaded one step ahead.
 * A (m x k), B (k x n) and C (m x n) are row-major; any shape, m up to 65535 x 128; zeros stand for elements outside.
 * A block of 2 x 4 warps owns 128 x 128 elements of C, and a warp 64 x 32. Its 8 x 4 lanes read 8 vectors of a_tile and
 * 4 of b_tile, where a warp of cuda-vector reads 2 and 16. So the shared memory delivers fewer bytes.
 * While a thread multiplies the elements of one l, those of the next l are on their way to other registers.
 * Source: tilelab, after CUTLASS and Boehm (2022).
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

/* A block owns BM x BN elements of C. A pass takes BK elements along k. */
enum { BM = 128, BN = 128, BK = 16 };

#ifdef __CUDACC__

#include "common/vector.cuh"

enum {
    WARPS_M = 2,
    WARPS_N = 4,
    LANES_M = 8,
    LANES_N = 4,
    TM = BM / WARPS_M / LANES_M, /* elements of C of a thread along m, and along n */
    TN = BN / WARPS_N / LANES_N,
    THREADS = WARPS_M * WARPS_N * LANES_M * LANES_N
};

/* WIDE: all rows of A, B and C start at multiples of 16 bytes. `row` and `col` are a thread's first in the block's tile
 * of C; its vectors of rows lie LANES_M vectors apart, and its vectors of columns LANES_N. Lanes that differ in bit 0
 * read the same elements of A, and lanes that differ in bit 1 the same of B, so that one access serves 16 lanes. */
template <typename real, bool WIDE>
__global__ void __launch_bounds__(THREADS, 8 / sizeof(real))
    matmul_warptile(int64_t m, int64_t n, int64_t k, const real *__restrict__ a, const real *__restrict__ b,
                    real *__restrict__ c)
{
    typedef vector16<real> vector;
    enum { V = vector::COUNT };
    __shared__ __align__(16) real a_tile[BK][BM + V], b_tile[BK][BN];
    const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
    const int lane_n = lane % 2 + lane / 8 % 2 * 2, lane_m = lane / 2 % 4 + lane / 16 * 4;
    const int row = warp % WARPS_M * (BM / WARPS_M) + lane_m * V, col = warp / WARPS_M * (BN / WARPS_N) + lane_n * V;
    const int64_t first_row = (int64_t)blockIdx.y * BM, first_col = (int64_t)blockIdx.x * BN;
    real sum[TM][TN] = {};
    for (int64_t first = 0; first < k; first += BK) {
#pragma unroll
        for (int part = 0; part < BM * BK; part += THREADS * V) {
            const int e = part + thread * V;
            const int64_t from = first_row + e / BK, l = first + e % BK;
            const vector loaded = vector16_load<WIDE>(a + from * k + l, from < m ? k - l : 0);
#pragma unroll
            for (int v = 0; v < V; v++)
                a_tile[e % BK + v][e / BK] = loaded.value[v];
        }
#pragma unroll
        for (int part = 0; part < BK * BN; part += THREADS * V) {
            const int e = part + thread * V;
            const int64_t l = first + e / BN, from = first_col + e % BN;
            *(vector *)&b_tile[e / BN][e % BN] = vector16_load<WIDE>(b + l * n + from, l < k ? n - from : 0);
        }
        __syncthreads(); /* both tiles are complete before any thread reads them */
        vector left[2][TM / V], right[2][TN / V];
#pragma unroll
        for (int l = -1; l < BK; l++) {
            if (l + 1 < BK) {
#pragma unroll
                for (int i = 0; i < TM / V; i++)
                    left[(l + 1) % 2][i] = *(const vector *)&a_tile[l + 1][row + i * LANES_M * V];
#pragma unroll
                for (int j = 0; j < TN / V; j++)
                    right[(l + 1) % 2][j] = *(const vector *)&b_tile[l + 1][col + j * LANES_N * V];
            }
            if (l >= 0) {
#pragma unroll
                for (int i = 0; i < TM; i++)
#pragma unroll
                    for (int j = 0; j < TN; j++)
                        sum[i][j] += left[l % 2][i / V].value[i % V] * right[l % 2][j / V].value[j % V];
            }
        }
        __syncthreads(); /* all threads have read the tiles before the next pass overwrites them */
    }
#pragma unroll
    for (int i = 0; i < TM; i++)
#pragma unroll
        for (int j = 0; j < TN; j += V) {
            const int64_t to_row = first_row + row + i / V * LANES_M * V + i % V,
                          to_col = first_col + col + j * LANES_N;
            vector16_store<WIDE>(c + to_row * n + to_col, to_row < m ? n - to_col : 0, vector16_of(&sum[i][j]));
        }
}

template <typename real> static int launch(struct job *job)
{
    const struct cell *cell = job->cell;
    const dim3 grid((unsigned)((cell->n + BN - 1) / BN), (unsigned)((cell->m + BM - 1) / BM));
    const bool wide = cell->n % vector16<real>::COUNT == 0 && cell->k % vector16<real>::COUNT == 0;
    const auto kernel = wide ? matmul_warptile<real, true> : matmul_warptile<real, false>;
    kernel<<<grid, THREADS, 0, (cudaStream_t)job->stream>>>(cell->m, cell->n, cell->k, (const real *)job->operand[0],
                                                            (const real *)job->operand[1], (real *)job->operand[2]);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

CUDA_ENTRY_BY_PRECISION(matmul_cuda_warptile)

#else

#include "common/register_tiles.h"

/* A block has 2 x 4 warps, and a warp 8 x 4 lanes. */
static int64_t row_of(const struct cell *cell, int thread)
{
    const int lane = thread % 32, lane_m = lane / 2 % 4 + lane / 16 * 4;
    return thread / 32 % 2 * (BM / 2) + lane_m * register_tiles_vector(cell);
}

static int64_t col_of(const struct cell *cell, int thread)
{
    const int lane = thread % 32, lane_n = lane % 2 + lane / 8 % 2 * 2;
    return thread / 64 * (BN / 4) + lane_n * register_tiles_vector(cell);
}

static int64_t read_a_tile(const struct execution *at, int x, int y)
{
    (void)y;
    return vector_tiles_read_a(at, row_of(at->cell, x), 8 * register_tiles_vector(at->cell));
}

static int64_t read_b_tile(const struct execution *at, int x, int y)
{
    (void)y;
    return vector_tiles_read_b(at, col_of(at->cell, x), 4 * register_tiles_vector(at->cell));
}

static int64_t store_c(const struct execution *at, int x, int y)
{
    const int64_t vector = register_tiles_vector(at->cell);
    (void)y;
    return vector_tiles_store_c(at, row_of(at->cell, x), 8 * vector, col_of(at->cell, x), 4 * vector);
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

VARIANT(matmul, cuda_warptile) = {
    .summary = "cuda-vector with a rectangle of C for each warp, and the next fragments loaded ahead",
    .summary_ru = "cuda-vector с прямоугольником C на варп и загрузкой следующих фрагментов заранее",
    .source = "tilelab",
    .precisions = ALL_PRECISIONS,
    .unit = UNIT_FMA,
    .accesses = &accesses,
    .typical_gflops = 38000,
    .reject = reject,
};

#endif
