/* Splits the tiles of A and B into FP16 numbers, for cuda-3xf16: x = (big + small / 2^11) times the tile's scale.
 * SPDX-License-Identifier: MIT
 *
 * A tile has 128 rows of 64 elements along k: rows of A, or columns of B, which become rows. A scale is the power of
 * two that brings the largest element of the tile to [2^14, 2^15). Parts then keep an element down to 2^-15 up to 2^-21
 * of it. A smaller element can lose more, up to 2^-36. The tile's facts tell how much, and half_is_safe() judges them. */
#ifndef TILELAB_MATMUL_HALF_TILES_CUH
#define TILELAB_MATMUL_HALF_TILES_CUH

#include <cuda_fp16.h>
#include <float.h>
#include <math.h>
#include <stdint.h>

struct half_tile {
    enum { ROWS = 128, BK = 64, SIZE = ROWS * BK, THREADS = 256, BYTES = 2 * SIZE * 2 };
};

struct __align__(16) half_facts
{
    float scale;
    float loss;  /* what an element has lost at most, over the largest element of any row; infinity: unfit for FP16 */
    float range; /* the largest element over the smallest one, of those that exist; zeros count */
    float dense; /* 1: more than half of the elements of each row reach 2^-8 of the largest one; else 0 */
};

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

/* Whether sums of 64 products over these two tiles lose less than 2^-26 of the sum of the products' absolute values.
 * What an element loses meets at most the largest element of the other tile, 64 times. In dense tiles at least two
 * large elements of a row and a column meet: 2^-15 of the product of the largest ones is then left, of which losses of
 * 2^-50 of a largest one are at most 2^-28. In others the largest element of a row meets at least the smallest one. */
static __device__ inline bool half_is_safe(const half_facts &a, const half_facts &b)
{
    const float most = 0x1p-32f;
    if (a.dense != 0 && b.dense != 0)
        return true;
    return (a.loss == 0 || a.loss * b.range <= most) && (b.loss == 0 || b.loss * a.range <= most);
}

/* A tile whose rows and columns are `ld_row` and `ld_k` elements apart, of which rows x length elements exist. */
struct half_source {
    const float *from;
    int64_t ld_row, ld_k, rows, length;
};

/* Eight elements along k, zeros where none exist. */
template <bool WIDE> static __device__ inline void half_load(float (&x)[8], const half_source &source, int row, int col)
{
    const float *const from = source.from + row * source.ld_row + col * source.ld_k;
#pragma unroll
    for (int i = 0; i < 8; i += WIDE ? 4 : 1) {
        const bool exists = row < source.rows && col + i < source.length;
        if (WIDE)
            *(float4 *)&x[i] = exists ? __ldg((const float4 *)(from + i)) : make_float4(0, 0, 0, 0);
        else
            x[i] = exists ? from[i * source.ld_k] : 0;
    }
}

struct half_shared {
    uint4 staged[2 * half_tile::SIZE / 8];                            /* eight elements each */
    unsigned row_most[half_tile::ROWS], most, least, row_least, lost; /* bits of absolute values compare as they do */
    unsigned row_large[half_tile::ROWS], least_large; /* a row's elements that reach 2^-8 of the largest; the fewest */
};

/* Splits a tile by a block. ALONG_K: neighbouring threads load neighbours along k, else neighbouring rows. WIDE: rows
 * can be loaded by 16 bytes along k. `to` gets the big parts, then the small ones, in the order of wgmma_describe(). */
template <bool ALONG_K, bool WIDE>
static __device__ inline void half_split(half_shared &shared, const half_source &source, uint4 *to, half_facts *facts)
{
    typedef half_tile tile;
    /* Unsigned numbers are divided by shifts. */
    enum : unsigned { EIGHTS = tile::BK / 8, PARTS = tile::ROWS * EIGHTS / tile::THREADS };
    const unsigned whole_warp = 0xFFFFFFFF;
    const unsigned infinity = 0x7F800000;
    const int thread = threadIdx.x;
    const auto row_of = [&](int part) {
        const int at = thread + part * tile::THREADS;
        return ALONG_K ? at / EIGHTS : at % tile::ROWS;
    };
    const auto eight_of = [&](int part) {
        const int at = thread + part * tile::THREADS;
        return ALONG_K ? at % EIGHTS : at / tile::ROWS;
    };

    if (thread < tile::ROWS) {
        shared.row_most[thread] = thread < source.rows ? 0 : infinity;
        shared.row_large[thread] = thread < source.rows ? 0 : tile::BK;
    }
    if (thread == 0) {
        shared.most = shared.lost = 0;
        shared.least = shared.row_least = infinity;
        shared.least_large = tile::BK;
    }
    float x[PARTS][8];
#pragma unroll
    for (int part = 0; part < PARTS; part++)
        half_load<WIDE>(x[part], source, row_of(part), eight_of(part) * 8);
    __syncthreads(); /* the shared numbers are set */

    unsigned own_most = 0, own_least = infinity;
#pragma unroll
    for (int part = 0; part < PARTS; part++) {
        const int row = row_of(part), col = eight_of(part) * 8;
        unsigned eight_most = 0;
#pragma unroll
        for (int i = 0; i < 8; i++) {
            const unsigned size = __float_as_uint(fabsf(x[part][i]));
            eight_most = max(eight_most, size);
            if (row < source.rows && col + i < source.length)
                own_least = min(own_least, size);
        }
        own_most = max(own_most, eight_most);
        if (row < source.rows)
            atomicMax(&shared.row_most[row], eight_most);
    }
    own_most = __reduce_max_sync(whole_warp, own_most);
    own_least = __reduce_min_sync(whole_warp, own_least);
    if (thread % 32 == 0) {
        atomicMax(&shared.most, own_most);
        atomicMin(&shared.least, own_least);
    }
    __syncthreads(); /* all elements are counted */

    /* Outside 2^-50 to 2^60 the products of two scales could leave the range of f32. */
    const int exponent = (int)(shared.most >> 23), no_scale = 141;
    const bool fit = shared.most == 0 || (exponent >= 127 - 50 && exponent <= 127 + 60);
    const int use = fit && shared.most > 0 ? exponent : no_scale;
    const float up = __uint_as_float((unsigned)(268 - use) << 23), down = __uint_as_float((unsigned)(use - 14) << 23);
    const unsigned large = fit ? shared.most - (8U << 23) : infinity;
    float own_lost = 0;
#pragma unroll
    for (int part = 0; part < PARTS; part++) {
        unsigned many = 0;
        const int row = row_of(part), place = row * EIGHTS + (eight_of(part) ^ row % 8);
        __half2 big[4], small[4];
#pragma unroll
        for (int i = 0; i < 8; i++) {
            const float scaled = x[part][i] * up;
            many += __float_as_uint(fabsf(x[part][i])) >= large;
            const __half high = __float2half_rn(scaled);
            const float rest = scaled - __half2float(high);
            const __half low = __float2half_rn(rest * 0x1p11f);
            const float left = fabsf(rest - __half2float(low) * 0x1p-11f);
            if (left > 0x1p-21f * fabsf(scaled))
                own_lost = fmaxf(own_lost, left);
            if (fabsf(scaled) < FLT_MIN && x[part][i] != 0)
                own_lost = INFINITY; /* the scale itself has lost bits of a tiny element */
            (i % 2 ? big[i / 2].y : big[i / 2].x) = high;
            (i % 2 ? small[i / 2].y : small[i / 2].x) = low;
        }
        shared.staged[place] = *(uint4 *)big;
        shared.staged[tile::SIZE / 8 + place] = *(uint4 *)small;
        if (row < source.rows)
            atomicAdd(&shared.row_large[row], many);
    }
    __syncthreads(); /* the large elements of each row are counted */
    const unsigned warp_lost = __reduce_max_sync(whole_warp, __float_as_uint(own_lost));
    if (thread % 32 == 0 && warp_lost)
        atomicMax(&shared.lost, warp_lost);
    if (thread < tile::ROWS) {
        const unsigned warp_least = __reduce_min_sync(whole_warp, shared.row_most[thread]);
        const unsigned warp_fewest = __reduce_min_sync(whole_warp, shared.row_large[thread]);
        if (thread % 32 == 0) {
            atomicMin(&shared.row_least, warp_least);
            atomicMin(&shared.least_large, warp_fewest);
        }
    }
    __syncthreads(); /* the parts are staged, and losses and large elements are counted */
    for (int at = thread; at < 2 * tile::ROWS * EIGHTS; at += tile::THREADS)
        to[at] = shared.staged[at];
    if (thread == 0) {
        const float loss = shared.lost ? __uint_as_float(shared.lost) / (__uint_as_float(shared.row_least) * up) : 0;
        *facts = {down, fit ? loss : __uint_as_float(infinity),
                  __uint_as_float(shared.most) / __uint_as_float(shared.least),
                  fit && shared.least_large > tile::BK / 2 ? 1.0f : 0.0f};
    }
}

#endif

/* The grid has a block for each tile of A, and then one for each tile of B. */
template <bool WIDE>
__global__ void __launch_bounds__(half_tile::THREADS)
    matmul_half_split(int64_t m, int64_t n, int64_t k, const float *__restrict__ a, const float *__restrict__ b,
                      uint4 *__restrict__ parts, half_facts *__restrict__ facts)
{
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    typedef half_tile tile;
    enum { VECTORS = tile::BYTES / 16 };
    __shared__ half_shared shared;
    const int64_t steps = (k + tile::BK - 1) / tile::BK, tiles_n = (n + tile::ROWS - 1) / tile::ROWS;
    const int64_t tiles_a = (m + tile::ROWS - 1) / tile::ROWS * steps, block = blockIdx.x;
    if (block < tiles_a) {
        const int64_t row = block / steps * tile::ROWS, col = block % steps * tile::BK;
        half_split<true, WIDE>(shared, {a + row * k + col, k, 1, m - row, k - col}, parts + block * VECTORS,
                               facts + block);
    } else {
        const int64_t step = (block - tiles_a) / tiles_n, tile_n = (block - tiles_a) % tiles_n;
        const int64_t row = step * tile::BK, col = tile_n * tile::ROWS, at = tiles_a + tile_n * steps + step;
        half_split<false, false>(shared, {b + row * n + col, 1, n, n - col, k - row}, parts + at * VECTORS, facts + at);
    }
#endif
}

#endif
