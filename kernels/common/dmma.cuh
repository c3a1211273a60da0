/* Products in f64 on tensor cores, C = A B or C = A A^T, for the device part of a kernel file.
 * SPDX-License-Identifier: MIT
 *
 * A block owns a tile of C, and a warp a part of it, in registers. The block walks along k; asynchronous copies fill a
 * ring of tiles of A and B in shared memory several steps ahead. A warp loads fragments one product ahead. */
#ifndef TILELAB_COMMON_DMMA_CUH
#define TILELAB_COMMON_DMMA_CUH

#include "cuda_variant.cuh"
#include "product_tiles.cuh"

/* A block of WARPS_M x WARPS_N warps owns BM x BN elements of C. The ring has STAGES stages of BK columns of A and BK
 * rows of B; a multiprocessor shall hold BLOCKS blocks. SYMMETRIC: the product is A A^T, so that the tile of B is a
 * tile of A, BN rows of BK elements, and blocks exist for the tiles on and below the diagonal only. */
template <int BM_, int BN_, int BK_, int WARPS_M_, int WARPS_N_, int STAGES_, int BLOCKS_, bool SYMMETRIC_>
struct dmma_tile {
    enum {
        SYMMETRIC = SYMMETRIC_,
        BM = BM_,
        BN = BN_,
        BK = BK_,
        WARPS_M = WARPS_M_,
        WARPS_N = WARPS_N_,
        STAGES = STAGES_,
        BLOCKS = BLOCKS_,
        THREADS = WARPS_M * WARPS_N * 32,
        /* Elements from one row to the next in shared memory. The four extra elements let the 16 lanes that the
         * hardware serves together read 16 different banks of 8 bytes. */
        A_ROW = BK + 4,
        B_ROW = SYMMETRIC ? A_ROW : BN + 4,
        B_TILE = BM * A_ROW, /* offset of the tile of B */
        STAGE_SIZE = B_TILE + (SYMMETRIC ? BN : BK) * B_ROW,
        SHARED_BYTES = STAGES * STAGE_SIZE * 8,
    };
};

/* Fragments of mma of 16 x 8 x 8. With g = lane / 4 and t = lane % 4, a lane holds
 *   - in a[2 h + i] element (g + 8 i, t + 4 h) of A;
 *   - in b[h] element (t + 4 h, g) of B;
 *   - in sum[2 i + j] element (g + 8 i, 2 t + j) of C. */
enum { FRAGMENT_M = 16, FRAGMENT_N = 8, FRAGMENT_K = 8 };

/* sum += a b, by a warp. */
static __device__ inline void dmma_multiply_add(double (&sum)[4], const double (&a)[4], const double (&b)[2])
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

struct dmma_product {
    int64_t m, n, k;
    const double *a, *b; /* b: NULL if the product is symmetric */
    double *c;
};

/* The tile of C that a block owns. */
template <typename tile> static __device__ inline product_tile dmma_tile_of_block(const dmma_product &of)
{
    const int64_t tiles_m = (of.m + tile::BM - 1) / tile::BM, tiles_n = (of.n + tile::BN - 1) / tile::BN;
    if (!tile::SYMMETRIC)
        return product_tile_of_block(tiles_m, tiles_n);
    return product_triangle_at(blockIdx.x, tiles_n, tile::BN / tile::BM);
}

template <typename tile> static int64_t dmma_blocks(int64_t m, int64_t n)
{
    return tile::SYMMETRIC ? product_triangle(product_tiles(n, tile::BN), tile::BN / tile::BM)
                           : product_tiles(m, tile::BM) * product_tiles(n, tile::BN);
}

/* Stores an element of C, and of its mirror image, if it lies in C, and not above the diagonal of a symmetric C. */
template <bool SYMMETRIC>
static __device__ inline void dmma_store(const dmma_product &of, int64_t row, int64_t col, double sum)
{
    if (row >= of.m || col >= of.n || (SYMMETRIC && col > row))
        return;
    of.c[row * of.n + col] = sum;
    if (SYMMETRIC)
        of.c[col * of.n + row] = sum;
}

/* Stores the mirror images of two neighbours of a row. Lanes of neighbouring rows exchange an element, so that each has
 * two neighbours of a column. */
static __device__ inline void dmma_store_mirrored(const dmma_product &of, int64_t row, int64_t col, const double *pair)
{
    const bool odd = row % 2;
    const double other = __shfl_xor_sync(0xFFFFFFFF, odd ? pair[0] : pair[1], 4);
    if (row < of.m && col < of.n)
        *(double2 *)(of.c + (col + odd) * of.n + row - odd) =
            odd ? make_double2(other, pair[1]) : make_double2(pair[0], other);
}

/* Computes a tile of C by a block. WIDE: copies move 16 bytes, which all rows of the matrices permit if n and k are
 * even. */
template <typename tile, bool WIDE>
static __device__ __forceinline__ void dmma_block(const dmma_product &of, product_tile own)
{
    enum {
        WM = tile::BM / tile::WARPS_M,
        WN = tile::BN / tile::WARPS_N,
        FM = WM / FRAGMENT_M,
        FN = WN / FRAGMENT_N,
        PARTS = tile::BK / FRAGMENT_K,
        UNITS = PARTS * FM, /* a unit multiplies one fragment of A by all fragments of B */
    };
    static_assert(PARTS % 2 == 0, "both buffers of fragments take turns");
    extern __shared__ __align__(16) double shared[];
    const int64_t m = of.m, n = of.n, k = of.k;
    const int64_t first_m = own.m * tile::BM, first_n = own.n * tile::BN;
    const int steps = (int)((k + tile::BK - 1) / tile::BK);
    const int lane = threadIdx.x % 32, g = lane / 4, t = lane % 4, warp = threadIdx.x / 32;
    const int warp_m = warp % tile::WARPS_M * WM, warp_n = warp / tile::WARPS_M * WN;
    const double *const a_own = shared + (warp_m + g) * tile::A_ROW + t;
    /* Elements of the tile of B from one row of B to the next, and from one column to the next. */
    enum { B_DOWN = tile::SYMMETRIC ? 1 : tile::B_ROW, B_ACROSS = tile::SYMMETRIC ? tile::B_ROW : 1 };
    const double *const b_own = shared + tile::B_TILE + t * B_DOWN + (warp_n + g) * B_ACROSS;

    /* Starts the copies of one unit, which are a share of the tiles of a later step. Beyond the last step it copies
     * zeros. */
    enum { AT_ONCE = WIDE ? 16 : 8 };
    typedef product_copy<double, tile::BM, tile::BK, tile::THREADS, AT_ONCE> copy_a;
    typedef product_copy<double, tile::SYMMETRIC ? tile::BN : tile::BK, tile::SYMMETRIC ? tile::BK : tile::BN,
                         tile::THREADS, AT_ONCE>
        copy_b;
    int64_t k_left = k;
    const double *from_a = of.a + first_m * k, *from_b = tile::SYMMETRIC ? of.a + first_n * k : of.b + first_n;
    const auto fetch = [&](int unit, int stage) {
        enum { COPIES = copy_a::PARTS + copy_b::PARTS };
        double *const to = shared + stage * tile::STAGE_SIZE;
#pragma unroll
        for (int part = unit * COPIES / UNITS; part < (unit + 1) * COPIES / UNITS; part++)
            if (part < copy_a::PARTS)
                copy_a::part(part, threadIdx.x, to, from_a, k, m - first_m, k_left,
                             [](int i, int j) { return i * tile::A_ROW + j; });
            else
                copy_b::part(part - copy_a::PARTS, threadIdx.x, to + tile::B_TILE, from_b, tile::SYMMETRIC ? k : n,
                             tile::SYMMETRIC ? n - first_n : k_left, tile::SYMMETRIC ? k_left : n - first_n,
                             [](int i, int j) { return i * tile::B_ROW + j; });
        if (unit == UNITS - 1) {
            copy_async_commit();
            from_a += tile::BK;
            from_b += tile::SYMMETRIC ? tile::BK : tile::BK * n;
            k_left -= tile::BK;
        }
    };
    double left[2][4], right[2][FN][2];
    const auto load = [&](int unit, int stage) {
        const int part = unit / FM, i = unit % FM;
        const double *const at_a = a_own + stage * tile::STAGE_SIZE + i * FRAGMENT_M * tile::A_ROW;
        const double *const at_b = b_own + stage * tile::STAGE_SIZE;
#pragma unroll
        for (int h = 0; h < 4; h++)
            left[unit % 2][h] = at_a[h % 2 * 8 * tile::A_ROW + part * FRAGMENT_K + h / 2 * 4];
        if (i == 0)
#pragma unroll
            for (int j = 0; j < FN; j++)
#pragma unroll
                for (int h = 0; h < 2; h++)
                    right[part % 2][j][h] = at_b[(part * FRAGMENT_K + h * 4) * B_DOWN + j * FRAGMENT_N * B_ACROSS];
    };

    double sum[FM][FN][4] = {};
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
            for (int j = 0; j < FN; j++)
                dmma_multiply_add(sum[unit % FM][j], left[unit % 2], right[unit / FM % 2][j]);
        }
    }

    const bool pairs = WIDE && (!tile::SYMMETRIC || first_m >= first_n + tile::BN); /* below the diagonal */
#pragma unroll
    for (int i = 0; i < 2 * FM; i++) {
        const int64_t row = first_m + warp_m + i * 8 + g;
#pragma unroll
        for (int j = 0; j < FN; j++) {
            const int64_t col = first_n + warp_n + j * FRAGMENT_N + 2 * t;
            const double *const pair = &sum[i / 2][j][i % 2 * 2];
            if (pairs && row < m && col < n)
                *(double2 *)(of.c + row * n + col) = make_double2(pair[0], pair[1]);
            if (pairs && tile::SYMMETRIC)
                dmma_store_mirrored(of, row, col, pair);
#pragma unroll
            for (int o = 0; o < 2 && !pairs; o++)
                dmma_store<tile::SYMMETRIC>(of, row, col + o, pair[o]);
        }
    }
}

template <typename tile, bool WIDE>
__global__ void __launch_bounds__(tile::THREADS, tile::BLOCKS) product_dmma(const __grid_constant__ dmma_product of)
{
    dmma_block<tile, WIDE>(of, dmma_tile_of_block<tile>(of));
}

template <typename tile, bool WIDE> static int dmma_launch_wide(struct job *job, const dmma_product &of)
{
    CUDA_TRY(job, cudaFuncSetAttribute(product_dmma<tile, WIDE>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       tile::SHARED_BYTES));
    product_dmma<tile, WIDE>
        <<<(unsigned)dmma_blocks<tile>(of.m, of.n), tile::THREADS, tile::SHARED_BYTES, (cudaStream_t)job->stream>>>(of);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

template <typename tile> static int dmma_launch(struct job *job, const dmma_product &of)
{
    return of.n % 2 == 0 && of.k % 2 == 0 ? dmma_launch_wide<tile, true>(job, of)
                                          : dmma_launch_wide<tile, false>(job, of);
}

#endif
