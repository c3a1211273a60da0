/* C = A B from three TF32 products, for devices without wgmma: a warp multiplies with mma of 16 x 8 x 8.
 * SPDX-License-Identifier: MIT
 *
 * A block of WARPS_M x WARPS_N warps owns BM x BN elements of C. Tiles of A and B reach shared memory as in cuda-dmma.
 * A warp splits elements when it has read them from there. Sums over the BK steps of one stage leave the tensor
 * cores. */
#ifndef TILELAB_MATMUL_SPLIT_MMA_CUH
#define TILELAB_MATMUL_SPLIT_MMA_CUH

#include "common/product_tiles.cuh"
#include "common/tf32_split.cuh"

template <int BM_, int BN_, int BK_, int WARPS_M_, int WARPS_N_, int STAGES_, int BLOCKS_> struct split_mma_tile {
    enum {
        BM = BM_,
        BN = BN_,
        BK = BK_,
        WARPS_M = WARPS_M_,
        WARPS_N = WARPS_N_,
        STAGES = STAGES_,
        BLOCKS = BLOCKS_,
        THREADS = WARPS_M * WARPS_N * 32,
        /* Elements from one row to the next in shared memory. The lanes of a warp read 8 rows of 4 elements of A, and
         * 4 rows of 8 elements of B, from different banks. */
        A_ROW = BK + 4,
        B_ROW = BN + 8,
        B_TILE = BM * A_ROW, /* offset of the tile of B */
        STAGE_SIZE = B_TILE + BK * B_ROW,
        SHARED_BYTES = STAGES * STAGE_SIZE * 4,
    };
};

/* sum (16 x 8) += a (16 x 8) b (8 x 8) in TF32, by a warp. With g = lane / 4 and t = lane % 4, a lane holds
 *   - in a[2 h + i] element (g + 8 i, t + 4 h) of a;
 *   - in b[h] element (t + 4 h, g) of b;
 *   - in sum[2 i + o] element (g + 8 i, 2 t + o) of the sum. */
static __device__ inline void multiply_add(float (&sum)[4], const uint32_t (&a)[4], const uint32_t (&b)[2])
{
#if __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#endif
}

/* WIDE: copies move 16 bytes, which all rows of the matrices permit if n and k are multiples of 4. */
template <typename tile, bool WIDE>
__global__ void __launch_bounds__(tile::THREADS, tile::BLOCKS)
    matmul_split_mma(int64_t m, int64_t n, int64_t k, const float *__restrict__ a, const float *__restrict__ b,
                     float *__restrict__ c)
{
    enum {
        WM = tile::BM / tile::WARPS_M,
        WN = tile::BN / tile::WARPS_N,
        FM = WM / 16,
        FN = WN / 8,
        PARTS = tile::BK / 8,
    };
    extern __shared__ __align__(1024) unsigned char memory[];
    float *const shared = (float *)memory;
    const product_tile own = product_tile_of_block((m + tile::BM - 1) / tile::BM, (n + tile::BN - 1) / tile::BN);
    const int64_t first_m = own.m * tile::BM, first_n = own.n * tile::BN, steps = (k + tile::BK - 1) / tile::BK;
    const int lane = threadIdx.x % 32, g = lane / 4, t = lane % 4, warp = threadIdx.x / 32;
    const int warp_m = warp % tile::WARPS_M * WM, warp_n = warp / tile::WARPS_M * WN;
    a += first_m * k;
    b += first_n;

    const auto fetch = [&](int64_t step, int stage) {
        enum { COPY = WIDE ? 16 : 4 };
        float *const to = shared + stage * tile::STAGE_SIZE;
        if (step < steps) {
            product_copy<float, tile::BM, tile::BK, tile::THREADS, COPY>::whole(
                threadIdx.x, to, a, k, m - first_m, k - step * tile::BK,
                [](int i, int j) { return i * tile::A_ROW + j; });
            product_copy<float, tile::BK, tile::BN, tile::THREADS, COPY>::whole(
                threadIdx.x, to + tile::B_TILE, b, n, k - step * tile::BK, n - first_n,
                [](int i, int j) { return i * tile::B_ROW + j; });
            a += tile::BK;
            b += tile::BK * n;
        }
        copy_async_commit();
    };

    float sum[FM][FN][4] = {};
    for (int step = 0; step < tile::STAGES - 1; step++)
        fetch(step, step);
    int stage = 0, free_stage = tile::STAGES - 1;
    for (int64_t step = 0; step < steps; step++) {
        copy_async_wait<tile::STAGES - 2>();
        __syncthreads(); /* the step's tiles are complete, and all threads have read those of the step before */
        fetch(step + tile::STAGES - 1, free_stage);
        const float *const from_a = shared + stage * tile::STAGE_SIZE + (warp_m + g) * tile::A_ROW + t;
        const float *const from_b = shared + stage * tile::STAGE_SIZE + tile::B_TILE + t * tile::B_ROW + warp_n + g;
        free_stage = stage;
        stage = stage + 1 < tile::STAGES ? stage + 1 : 0;

        uint32_t b_big[PARTS][FN][2], b_small[PARTS][FN][2];
#pragma unroll
        for (int part = 0; part < PARTS; part++)
#pragma unroll
            for (int j = 0; j < FN; j++)
#pragma unroll
                for (int h = 0; h < 2; h++) {
                    const tf32_parts x = tf32_split(from_b[(part * 8 + h * 4) * tile::B_ROW + j * 8]);
                    b_big[part][j][h] = x.big;
                    b_small[part][j][h] = x.small;
                }
#pragma unroll
        for (int i = 0; i < FM; i++) {
            uint32_t a_big[PARTS][4], a_small[PARTS][4];
#pragma unroll
            for (int part = 0; part < PARTS; part++)
#pragma unroll
                for (int h = 0; h < 4; h++) {
                    const tf32_parts x = tf32_split(from_a[(i * 16 + h % 2 * 8) * tile::A_ROW + part * 8 + h / 2 * 4]);
                    a_big[part][h] = x.big;
                    a_small[part][h] = x.small;
                }
            float chunk[FN][4] = {};
            /* The small products come first, while the sums are small. */
#pragma unroll
            for (int part = 0; part < PARTS; part++) {
#pragma unroll
                for (int j = 0; j < FN; j++)
                    multiply_add(chunk[j], a_small[part], b_big[part][j]);
#pragma unroll
                for (int j = 0; j < FN; j++)
                    multiply_add(chunk[j], a_big[part], b_small[part][j]);
            }
#pragma unroll
            for (int part = 0; part < PARTS; part++)
#pragma unroll
                for (int j = 0; j < FN; j++)
                    multiply_add(chunk[j], a_big[part], b_big[part][j]);
#pragma unroll
            for (int j = 0; j < FN; j++)
#pragma unroll
                for (int of = 0; of < 4; of++)
                    sum[i][j][of] += chunk[j][of];
        }
    }

#pragma unroll
    for (int i = 0; i < 2 * FM; i++) {
        const int64_t row = first_m + warp_m + i * 8 + g;
#pragma unroll
        for (int j = 0; j < FN; j++) {
            const int64_t col = first_n + warp_n + j * 8 + 2 * t;
            const float *const pair = &sum[i / 2][j][i % 2 * 2];
            if (WIDE && row < m && col < n)
                *(float2 *)(c + row * n + col) = make_float2(pair[0], pair[1]);
#pragma unroll
            for (int of = 0; !WIDE && of < 2; of++)
                if (row < m && col + of < n)
                    c[row * n + col + of] = pair[of];
        }
    }
}

#endif
