/* C = A B in f64 on tensor cores: mma of 16 x 8 x 8, or of 8 x 8 x 4 below compute capability 9.0.
 * A (m x k), B (k x n) and C (m x n) are row-major; any shape; zeros stand for elements outside.
 * A block owns a tile of C, and a warp a part of it, in registers. The block walks along k; asynchronous copies fill a
 * ring of tiles of A and B in shared memory several steps ahead. A warp loads fragments one product ahead.
 * It needs compute capability 8.0. Differs from cuda-async: the tensor cores multiply.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifndef __CUDACC__

VARIANT(matmul, cuda_dmma) = {
    .summary = "f64 products on tensor cores, tiles copied asynchronously",
    .source = "tilelab",
    .precisions = BIT(F64),
    .unit = UNIT_FMA,
    .tensor = BIT(F64),
    .compute_capability = 80,
    .typical_gflops = 55000,
};

#else

#include "common/product_tiles.cuh"

/* A block of WARPS_M x WARPS_N warps owns M x N elements of C. The ring has STAGES stages of K columns of A and K rows
 * of B; a multiprocessor shall hold BLOCKS blocks. */
template <int M_, int N_, int K_, int WARPS_M_, int WARPS_N_, int STAGES_, int BLOCKS_> struct dmma_tile {
    enum {
        M = M_,
        N = N_,
        K = K_,
        WARPS_M = WARPS_M_,
        WARPS_N = WARPS_N_,
        STAGES = STAGES_,
        BLOCKS = BLOCKS_,
        THREADS = WARPS_M * WARPS_N * 32,
        /* Elements from one row to the next in shared memory. The four extra elements let the 16 lanes that the
         * hardware serves together read 16 different banks of 8 bytes. */
        A_ROW = K + 4,
        B_ROW = N + 4,
        B_TILE = M * A_ROW, /* offset of the tile of B */
        STAGE_SIZE = B_TILE + K * B_ROW,
        SHARED_BYTES = STAGES * STAGE_SIZE * 8,
    };
};

/* Fragments of mma of 16 x 8 x 8. With g = lane / 4 and t = lane % 4, a lane holds
 *   - in a[2 h + i] element (g + 8 i, t + 4 h) of A;
 *   - in b[h] element (t + 4 h, g) of B;
 *   - in sum[2 i + j] element (g + 8 i, 2 t + j) of C. */
enum { FRAGMENT_M = 16, FRAGMENT_N = 8, FRAGMENT_K = 8 };

/* sum += a b, by a warp. */
static __device__ inline void multiply_add(double (&sum)[4], const double (&a)[4], const double (&b)[2])
{
#if __CUDA_ARCH__ >= 900
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                 "{%0, %1, %2, %3};"
                 : "+d"(sum[0]), "+d"(sum[1]), "+d"(sum[2]), "+d"(sum[3])
                 : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
#elif __CUDA_ARCH__ >= 800
#pragma unroll
    for (int h = 0; h < 2; h++)
#pragma unroll
        for (int i = 0; i < 2; i++)
            asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                         : "+d"(sum[2 * i]), "+d"(sum[2 * i + 1])
                         : "d"(a[2 * h + i]), "d"(b[h]));
#endif
}

/* WIDE: copies move 16 bytes, which all rows of the matrices permit if n and k are even. */
template <typename tile, bool WIDE>
__global__ void __launch_bounds__(tile::THREADS, tile::BLOCKS)
    matmul_dmma(int64_t m, int64_t n, int64_t k, const double *__restrict__ a, const double *__restrict__ b,
                double *__restrict__ c)
{
    enum {
        WARP_M = tile::M / tile::WARPS_M,
        WARP_N = tile::N / tile::WARPS_N,
        FRAGMENTS_M = WARP_M / FRAGMENT_M,
        FRAGMENTS_N = WARP_N / FRAGMENT_N,
        PARTS = tile::K / FRAGMENT_K,
        UNITS = PARTS * FRAGMENTS_M, /* a unit multiplies one fragment of A by all fragments of B */
    };
    static_assert(PARTS % 2 == 0, "both buffers of fragments take turns");
    extern __shared__ __align__(16) double shared[];
    const product_tile own = product_tile_of_block((m + tile::M - 1) / tile::M, (n + tile::N - 1) / tile::N);
    const int64_t first_m = own.m * tile::M, first_n = own.n * tile::N;
    const int steps = (int)((k + tile::K - 1) / tile::K);
    const int lane = threadIdx.x % 32, g = lane / 4, t = lane % 4, warp = threadIdx.x / 32;
    const int warp_m = warp % tile::WARPS_M * WARP_M, warp_n = warp / tile::WARPS_M * WARP_N;
    const double *const a_own = shared + (warp_m + g) * tile::A_ROW + t;
    const double *const b_own = shared + tile::B_TILE + t * tile::B_ROW + warp_n + g;

    /* Starts the copies of one unit, which are a share of the tiles of a later step. Beyond the last step it copies
     * zeros. */
    enum { AT_ONCE = WIDE ? 16 : 8 };
    typedef product_copy<double, tile::M, tile::K, tile::THREADS, AT_ONCE> copy_a;
    typedef product_copy<double, tile::K, tile::N, tile::THREADS, AT_ONCE> copy_b;
    int64_t k_left = k;
    const double *from_a = a + first_m * k, *from_b = b + first_n;
    const auto fetch = [&](int unit, int stage) {
        enum { COPIES = copy_a::PARTS + copy_b::PARTS };
        double *const to = shared + stage * tile::STAGE_SIZE;
#pragma unroll
        for (int part = unit * COPIES / UNITS; part < (unit + 1) * COPIES / UNITS; part++)
            if (part < copy_a::PARTS)
                copy_a::part(part, threadIdx.x, to, from_a, k, m - first_m, k_left,
                             [](int i, int j) { return i * tile::A_ROW + j; });
            else
                copy_b::part(part - copy_a::PARTS, threadIdx.x, to + tile::B_TILE, from_b, n, k_left, n - first_n,
                             [](int i, int j) { return i * tile::B_ROW + j; });
        if (unit == UNITS - 1) {
            copy_async_commit();
            from_a += tile::K;
            from_b += tile::K * n;
            k_left -= tile::K;
        }
    };
    double left[2][4], right[2][FRAGMENTS_N][2];
    const auto load = [&](int unit, int stage) {
        const int part = unit / FRAGMENTS_M, i = unit % FRAGMENTS_M;
        const double *const at_a = a_own + stage * tile::STAGE_SIZE + i * FRAGMENT_M * tile::A_ROW;
        const double *const at_b = b_own + stage * tile::STAGE_SIZE;
#pragma unroll
        for (int h = 0; h < 4; h++)
            left[unit % 2][h] = at_a[h % 2 * 8 * tile::A_ROW + part * FRAGMENT_K + h / 2 * 4];
        if (i == 0)
#pragma unroll
            for (int j = 0; j < FRAGMENTS_N; j++)
#pragma unroll
                for (int h = 0; h < 2; h++)
                    right[part % 2][j][h] = at_b[(part * FRAGMENT_K + h * 4) * tile::B_ROW + j * FRAGMENT_N];
    };

    double sum[FRAGMENTS_M][FRAGMENTS_N][4] = {};
    for (int step = 0; step < tile::STAGES - 1; step++)
#pragma unroll
        for (int unit = 0; unit < UNITS; unit++)
            fetch(unit, step);
    copy_async_wait<tile::STAGES - 2>();
    __syncthreads(); /* the first tiles are complete before any thread reads them */
    load(0, 0);
    for (int step = 0, stage = 0, free_stage = tile::STAGES - 1; step < steps; step++) {
#pragma unroll
        for (int unit = 0; unit < UNITS; unit++) {
            fetch(unit, free_stage);
            if (unit == UNITS - 1) {
                copy_async_wait<tile::STAGES - 2>();
                __syncthreads(); /* the next tiles are complete; all threads have read this stage for the last time */
                free_stage = stage;
                stage = stage + 1 < tile::STAGES ? stage + 1 : 0;
            }
            load((unit + 1) % UNITS, stage);
#pragma unroll
            for (int j = 0; j < FRAGMENTS_N; j++)
                multiply_add(sum[unit % FRAGMENTS_M][j], left[unit % 2], right[unit / FRAGMENTS_M % 2][j]);
        }
    }

#pragma unroll
    for (int i = 0; i < 2 * FRAGMENTS_M; i++) {
        const int64_t row = first_m + warp_m + i * 8 + g;
#pragma unroll
        for (int j = 0; j < FRAGMENTS_N; j++) {
            const int64_t col = first_n + warp_n + j * FRAGMENT_N + 2 * t;
            const double *const pair = &sum[i / 2][j][i % 2 * 2];
            if (WIDE && row < m && col < n)
                *(double2 *)(c + row * n + col) = make_double2(pair[0], pair[1]);
            for (int of = 0; !WIDE && of < 2; of++)
                if (row < m && col + of < n)
                    c[row * n + col + of] = pair[of];
        }
    }
}

template <typename tile, bool WIDE> static int launch_wide(struct job *job)
{
    const struct cell *cell = job->cell;
    const int64_t blocks = product_tiles(cell->m, tile::M) * product_tiles(cell->n, tile::N);
    CUDA_TRY(job, cudaFuncSetAttribute(matmul_dmma<tile, WIDE>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       tile::SHARED_BYTES));
    matmul_dmma<tile, WIDE><<<(unsigned)blocks, tile::THREADS, tile::SHARED_BYTES, (cudaStream_t)job->stream>>>(
        cell->m, cell->n, cell->k, (const double *)job->operand[0], (const double *)job->operand[1],
        (double *)job->operand[2]);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

template <typename tile> static int launch_tile(struct job *job)
{
    return job->cell->n % 2 == 0 && job->cell->k % 2 == 0 ? launch_wide<tile, true>(job)
                                                          : launch_wide<tile, false>(job);
}

typedef dmma_tile<64, 128, 16, 2, 2, 4, 2> large_tile;
typedef dmma_tile<64, 64, 16, 2, 2, 4, 2> small_tile;

/* Large tiles read less; small tiles employ more multiprocessors where a product has few. */
CUDA_ENTRY int matmul_cuda_dmma_launch(struct job *job)
{
    enum { ENOUGH = 256 }; /* two blocks for each of about 130 multiprocessors */
    const int64_t large = product_tiles(job->cell->m, large_tile::M) * product_tiles(job->cell->n, large_tile::N);
    return large < ENOUGH ? launch_tile<small_tile>(job) : launch_tile<large_tile>(job);
}

#endif
