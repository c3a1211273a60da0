/* C = A B in integers modulo 2^32 on tensor cores, which multiply bytes.
 * A (m x k), B (k x n) and C (m x n) are row-major; any shape; zeros stand for elements outside. The result is exact.
 * An element is the sum of its bytes a_p 256^p. Of the sixteen products of bytes, the ten with p + q < 4 matter. A
 * thread keeps a sum for each p + q = 0, 1, 2, 3, and shifts and adds the four sums at the end.
 * Tiles reach shared memory as in cuda-dmma. Bytes are separated in registers. It needs compute capability 8.0.
 * Source: tilelab.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifdef __CUDACC__

#include "common/product_tiles.cuh"

enum { BYTES = 4 };

/* A block of WARPS_M x WARPS_N warps owns BM x BN elements of C, and each warp 32 x 32 of them. The ring has STAGES
 * stages of 32 columns of A and 32 rows of B. Rows in shared memory have no padding; instead, 16 bytes of a row change
 * places, so that the 8 lanes that the hardware serves together read 16 bytes from different banks. */
template <int WARPS_M_, int WARPS_N_, int STAGES_, int BLOCKS_> struct int8_tile {
    enum {
        WARPS_M = WARPS_M_,
        WARPS_N = WARPS_N_,
        STAGES = STAGES_,
        BLOCKS = BLOCKS_,
        BM = WARPS_M * 32,
        BN = WARPS_N * 32,
        BK = 32,
        THREADS = WARPS_M * WARPS_N * 32,
        B_TILE = BM * BK, /* offset of the tile of B */
        STAGE_SIZE = B_TILE + BK * BN,
        SHARED_BYTES = STAGES * STAGE_SIZE * 4,
    };
    static __device__ int place_a(int row, int k)
    {
        return row * BK + (k ^ row % 2 * 16);
    }
    static __device__ int place_b(int k, int col)
    {
        return k * BN + (col ^ k / 4 % 4 * 8);
    }
};

/* Gives byte[p], the bytes number p of four elements, which are neighbours along k. */
static __device__ inline void separate(uint32_t x, uint32_t y, uint32_t z, uint32_t w, uint32_t (&byte)[BYTES])
{
    const uint32_t low_xy = __byte_perm(x, y, 0x5140), low_zw = __byte_perm(z, w, 0x5140);
    const uint32_t high_xy = __byte_perm(x, y, 0x7362), high_zw = __byte_perm(z, w, 0x7362);
    byte[0] = __byte_perm(low_xy, low_zw, 0x5410);
    byte[1] = __byte_perm(low_xy, low_zw, 0x7632);
    byte[2] = __byte_perm(high_xy, high_zw, 0x5410);
    byte[3] = __byte_perm(high_xy, high_zw, 0x7632);
}

/* sum (16 x 8) += a (16 x 32) b (32 x 8) by a warp; the elements of a and b are bytes. With g = lane / 4 and
 * t = lane % 4, a lane holds
 *   - in a[2 h + i] elements (g + 8 i, 16 h + 4 t) to (g + 8 i, 16 h + 4 t + 3) of a;
 *   - in b[h] elements (16 h + 4 t, g) to (16 h + 4 t + 3, g) of b;
 *   - in sum[2 i + o] element (g + 8 i, 2 t + o) of the sum. */
static __device__ inline void multiply_add(uint32_t (&sum)[4], const uint32_t (&a)[4][BYTES], int p,
                                           const uint32_t (&b)[2][BYTES], int q)
{
#if __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+r"(sum[0]), "+r"(sum[1]), "+r"(sum[2]), "+r"(sum[3])
        : "r"(a[0][p]), "r"(a[1][p]), "r"(a[2][p]), "r"(a[3][p]), "r"(b[0][q]), "r"(b[1][q]));
#endif
}

/* WIDE: copies and stores move 16 bytes, which all rows of the matrices permit if n and k are multiples of 4. */
template <typename tile, bool WIDE>
__global__ void __launch_bounds__(tile::THREADS, tile::BLOCKS)
    matmul_int8(int64_t m, int64_t n, int64_t k, const uint32_t *__restrict__ a, const uint32_t *__restrict__ b,
                uint32_t *__restrict__ c)
{
    extern __shared__ __align__(128) uint32_t shared[];
    const product_tile own = product_tile_of_block((m + tile::BM - 1) / tile::BM, (n + tile::BN - 1) / tile::BN);
    const int64_t first_m = own.m * tile::BM, first_n = own.n * tile::BN, steps = (k + tile::BK - 1) / tile::BK;
    const int lane = threadIdx.x % 32, g = lane / 4, t = lane % 4, warp = threadIdx.x / 32;
    const int warp_m = warp % tile::WARPS_M * 32, warp_n = warp / tile::WARPS_M * 32;
    a += first_m * k;
    b += first_n;

    const auto fetch = [&](int64_t step, int stage) {
        enum { COPY = WIDE ? 16 : 4 };
        uint32_t *const to = shared + stage * tile::STAGE_SIZE;
        if (step < steps) {
            product_copy<uint32_t, tile::BM, tile::BK, tile::THREADS, COPY>::whole(threadIdx.x, to, a, k, m - first_m,
                                                                                   k - step * tile::BK, tile::place_a);
            product_copy<uint32_t, tile::BK, tile::BN, tile::THREADS, COPY>::whole(
                threadIdx.x, to + tile::B_TILE, b, n, k - step * tile::BK, n - first_n, tile::place_b);
            a += tile::BK;
            b += tile::BK * n;
        }
        copy_async_commit();
    };

    uint32_t sum[BYTES][2][4][4] = {};
    for (int step = 0; step < tile::STAGES - 1; step++)
        fetch(step, step);
    int stage = 0, free_stage = tile::STAGES - 1;
    for (int64_t step = 0; step < steps; step++) {
        copy_async_wait<tile::STAGES - 2>();
        __syncthreads(); /* the step's tiles are complete, and all threads have read those of the step before */
        fetch(step + tile::STAGES - 1, free_stage);
        const uint32_t *const from_a = shared + stage * tile::STAGE_SIZE, *const from_b = from_a + tile::B_TILE;
        free_stage = stage;
        stage = stage + 1 < tile::STAGES ? stage + 1 : 0;

        uint32_t left[2][4][BYTES], right[4][2][BYTES];
#pragma unroll
        for (int h = 0; h < 2; h++) {
            /* The warp's 32 columns of B are dealt out to its four fragments: column g of fragment j is 4 g + j. */
            uint4 row[4];
#pragma unroll
            for (int of = 0; of < 4; of++)
                row[of] = *(const uint4 *)(from_b + tile::place_b(h * 16 + 4 * t + of, warp_n + 4 * g));
            separate(row[0].x, row[1].x, row[2].x, row[3].x, right[0][h]);
            separate(row[0].y, row[1].y, row[2].y, row[3].y, right[1][h]);
            separate(row[0].z, row[1].z, row[2].z, row[3].z, right[2][h]);
            separate(row[0].w, row[1].w, row[2].w, row[3].w, right[3][h]);
        }
#pragma unroll
        for (int i = 0; i < 2; i++) {
#pragma unroll
            for (int part = 0; part < 4; part++) {
                const int row = warp_m + i * 16 + part % 2 * 8 + g;
                const uint4 four = *(const uint4 *)(from_a + tile::place_a(row, part / 2 * 16 + 4 * t));
                separate(four.x, four.y, four.z, four.w, left[i][part]);
            }
#pragma unroll
            for (int p = 0; p < BYTES; p++)
#pragma unroll
                for (int q = 0; q < BYTES - p; q++)
#pragma unroll
                    for (int j = 0; j < 4; j++)
                        multiply_add(sum[p + q][i][j], left[i], p, right[j], q);
        }
    }

#pragma unroll
    for (int i = 0; i < 4; i++) {
        const int64_t row = first_m + warp_m + i * 8 + g;
#pragma unroll
        for (int of = 0; of < 2; of++) {
            const int64_t col = first_n + warp_n + 8 * t + 4 * of;
            uint32_t value[4];
#pragma unroll
            for (int j = 0; j < 4; j++) {
                value[j] = 0;
#pragma unroll
                for (int p = 0; p < BYTES; p++)
                    value[j] += sum[p][i / 2][j][i % 2 * 2 + of] << 8 * p;
            }
            if (WIDE && row < m && col < n)
                *(uint4 *)(c + row * n + col) = make_uint4(value[0], value[1], value[2], value[3]);
#pragma unroll
            for (int j = 0; !WIDE && j < 4; j++)
                if (row < m && col + j < n)
                    c[row * n + col + j] = value[j];
        }
    }
}

template <typename tile, bool WIDE> static int launch_wide(struct job *job)
{
    const struct cell *cell = job->cell;
    const int64_t blocks = product_tiles(cell->m, tile::BM) * product_tiles(cell->n, tile::BN);
    CUDA_TRY(job, cudaFuncSetAttribute(matmul_int8<tile, WIDE>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       tile::SHARED_BYTES));
    matmul_int8<tile, WIDE><<<(unsigned)blocks, tile::THREADS, tile::SHARED_BYTES, (cudaStream_t)job->stream>>>(
        cell->m, cell->n, cell->k, (const uint32_t *)job->operand[0], (const uint32_t *)job->operand[1],
        (uint32_t *)job->operand[2]);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

template <typename tile> static int launch_tile(struct job *job)
{
    return job->cell->n % 4 == 0 && job->cell->k % 4 == 0 ? launch_wide<tile, true>(job)
                                                          : launch_wide<tile, false>(job);
}

CUDA_ENTRY int matmul_cuda_int8_launch(struct job *job)
{
    return launch_tile<int8_tile<2, 2, 3, 2>>(job);
}

#else

#include "int8_accesses.h"

VARIANT(matmul, cuda_int8) = {
    .summary = "i32 products from ten products of bytes on tensor cores",
    .summary_ru = "произведения i32 из десяти произведений байтов на тензорных ядрах",
    .source = "tilelab",
    .precisions = BIT(I32),
    .unit = UNIT_FMA,
    .tensor = BIT(I32),
    .parts = "i8",
    .split = I32,
    .products = 10,
    .compute_capability = 80,
    .typical_gflops = 60000,
    .accesses = &int8_accesses,
};

#endif
