/* C = A B from three TF32 products, for compute capability 9.0a, where a warpgroup multiplies with wgmma.
 * SPDX-License-Identifier: MIT
 *
 * A block computes C^T = B^T A^T. wgmma takes its left operand from registers, so that B^T needs no transposition in
 * memory, and its right operand from shared memory by columns, which are the rows of A.
 * A warpgroup of producers splits a tile of A on the way to shared memory, and starts the copy of a tile of B. Each of
 * the two warpgroups of consumers owns 64 columns of C. It multiplies a part of 8 steps along k, while it splits the
 * next part of B in registers. */
#ifndef TILELAB_MATMUL_SPLIT_WGMMA_CUH
#define TILELAB_MATMUL_SPLIT_WGMMA_CUH

#include "common/product_tiles.cuh"
#include "common/tf32_split.cuh"
#include "common/wgmma.cuh"

struct split_wgmma {
    enum {
        M = 128,
        N = 128,
        K = 32, /* a step along k */
        STAGES = 4,
        CHUNK = 2,   /* steps whose products are summed on the tensor cores */
        GROUP = 128, /* threads of a warpgroup */
        CONSUMERS = 2,
        THREADS = (1 + CONSUMERS) * GROUP,
        /* A multiple of 8 each. Together the three warpgroups have 3 x 168 registers a thread. */
        PRODUCER_REGISTERS = 120,
        CONSUMER_REGISTERS = 192,
        A_SIZE = M * K,
        B_ROW = N + 8, /* the lanes of a warp read 4 rows of 8 elements of B, from different banks */
        B_SIZE = K * B_ROW,
        SHARED_BYTES = STAGES * ((2 * A_SIZE + B_SIZE) * 4 + 2 * 8),
    };
};

struct split_wgmma_shared {
    float a[split_wgmma::STAGES][2][split_wgmma::A_SIZE]; /* big and small parts, in the order of wgmma_describe() */
    float b[split_wgmma::STAGES][split_wgmma::B_SIZE];
    unsigned long long full[split_wgmma::STAGES], empty[split_wgmma::STAGES]; /* barriers */
};

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

/* Four elements of a row, of which `count` exist. */
template <bool WIDE> static __device__ inline float4 split_wgmma_load(const float *from, int64_t count)
{
    if (WIDE)
        return count > 0 ? __ldg((const float4 *)from) : make_float4(0, 0, 0, 0);
    return make_float4(count > 0 ? from[0] : 0, count > 1 ? from[1] : 0, count > 2 ? from[2] : 0,
                       count > 3 ? from[3] : 0);
}

/* The warpgroup of producers. The elements of A are loaded two steps ahead, and B is copied one step ahead. */
template <bool WIDE>
static __device__ inline void split_wgmma_produce(split_wgmma_shared *shared, int64_t m, int64_t n, int64_t k,
                                                  product_tile own, int steps, const float *a, const float *b)
{
    typedef split_wgmma tile;
    typedef product_copy<float, tile::K, tile::N, tile::GROUP, WIDE ? 16 : 4> copy_b;
    enum { A_ROW = tile::K / 4, APART = tile::GROUP / A_ROW, PARTS = tile::M / APART };
    const int thread = threadIdx.x, row = thread / A_ROW, col = thread % A_ROW * 4;
    const int place = row * tile::K + (col ^ row % 8 * 4);
    const float *from[PARTS]; /* rows beyond the last one repeat it; their products are not stored */
    float4 next[2][PARTS];    /* one buffer is split, the other one is loaded */
#pragma unroll
    for (int part = 0; part < PARTS; part++)
        from[part] = a + min(own.m * tile::M + row + part * APART, m - 1) * k + col;
    b += own.n * tile::N;

    const auto load_a = [&](int step, int buffer) {
#pragma unroll
        for (int part = 0; part < PARTS; part++)
            next[buffer][part] =
                split_wgmma_load<WIDE>(from[part] + (int64_t)step * tile::K, k - (int64_t)step * tile::K - col);
    };
    const auto store_a = [&](int stage, int buffer) {
#pragma unroll
        for (int part = 0; part < PARTS; part++) {
            const float4 four = next[buffer][part];
            const tf32_parts x = tf32_split(four.x), y = tf32_split(four.y), z = tf32_split(four.z),
                             w = tf32_split(four.w);
            uint32_t *const to = (uint32_t *)shared->a[stage][0] + place + part * APART * tile::K;
            *(uint4 *)to = make_uint4(x.big, y.big, z.big, w.big);
            *(uint4 *)(to + tile::A_SIZE) = make_uint4(x.small, y.small, z.small, w.small);
        }
    };
    const auto copy = [&](int step, int stage, int parity) {
        if (step < steps) {
            mbarrier_wait(&shared->empty[stage], parity); /* the consumers have read the stage's last tiles */
            copy_b::whole(thread, shared->b[stage], b + (int64_t)step * tile::K * n, n, k - (int64_t)step * tile::K,
                          n - own.n * tile::N, [](int i, int j) { return i * tile::B_ROW + j; });
        }
        copy_async_commit();
    };

    copy(0, 0, 1);
    load_a(0, 0);
    load_a(1, 1);
    for (int step = 0, stage = 0, parity = 1; step < steps; step += 2) {
#pragma unroll
        for (int u = 0; u < 2; u++) {
            const int following = stage + 1 < tile::STAGES ? stage + 1 : 0;
            parity ^= following == 0;
            copy(step + u + 1, following, parity);
            store_a(stage, u);
            copy_async_wait<1>();
            wgmma_publish();
            mbarrier_arrive(&shared->full[stage]); /* this thread's parts of both tiles are complete */
            load_a(step + u + 2, u);
            stage = following;
        }
    }
}

/* A warpgroup of consumers. */
static __device__ inline void split_wgmma_consume(split_wgmma_shared *shared, int64_t m, int64_t n, product_tile own,
                                                  int steps, float *c)
{
    typedef split_wgmma tile;
    enum { PARTS = tile::K / 8, SUMS = tile::M / 2 };
    const int lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
    const int first = (threadIdx.x - tile::GROUP) / 32 * 16 + g; /* the thread owns this row of C^T, and first + 8 */
    float sum[SUMS] = {}, chunk[SUMS] = {};
    uint32_t big[PARTS][4], small[PARTS][4]; /* parts of B^T: one is loaded while another one is multiplied */

    const auto load_b = [&](int stage, int part) {
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const int row = part * 8 + i / 2 * 4 + t, col = first + i % 2 * 8;
            const tf32_parts x = tf32_split(shared->b[stage][row * tile::B_ROW + col]);
            big[part][i] = x.big;
            small[part][i] = x.small;
        }
    };
    /* Starts the products of a part. The small ones come first. */
    const auto multiply = [&](int stage, int part, bool accumulate) {
        const uint64_t a_big = wgmma_describe(shared->a[stage][0]), a_small = wgmma_describe(shared->a[stage][1]);
        wgmma_fence();
        wgmma_tf32(chunk, small[part], a_big + part * 2, accumulate);
        wgmma_tf32(chunk, big[part], a_small + part * 2, true);
        wgmma_tf32(chunk, big[part], a_big + part * 2, true);
        wgmma_commit();
    };
    const auto add_chunk = [&]() {
        wgmma_wait<0>();
#pragma unroll
        for (int i = 0; i < SUMS; i++)
            sum[i] += chunk[i];
    };

    mbarrier_wait(&shared->full[0], 0); /* the first tiles are complete */
#pragma unroll
    for (int part = 0; part < PARTS - 1; part++)
        load_b(0, part);
    int stage = 0, parity = 0, last = 0;
    for (int step = 0; step < steps; step += tile::CHUNK) {
#pragma unroll
        for (int u = 0; u < tile::CHUNK; u++) {
            const bool more = step + u + 1 < steps;
            const int following = stage + 1 < tile::STAGES ? stage + 1 : 0;
            parity ^= following == 0;
            if (u == 0)
                add_chunk();
#pragma unroll
            for (int part = 0; part < PARTS; part++) {
                multiply(stage, part, u > 0 || part > 0);
                wgmma_wait<1>(); /* the part before is multiplied: its registers are free for a later part */
                if (part == 0) {
                    if (step + u > 0)
                        mbarrier_arrive(&shared->empty[last]); /* this thread has done with the step before */
                    load_b(stage, PARTS - 1);
                } else if (more) {
                    if (part == 1)
                        mbarrier_wait(&shared->full[following], parity); /* the next tiles are complete */
                    load_b(following, part - 1);
                }
            }
            last = stage;
            stage = following;
        }
    }
    add_chunk();

#pragma unroll
    for (int i = 0; i < SUMS; i++) {
        const int64_t row = own.m * tile::M + i / 4 * 8 + 2 * t + i % 2;
        const int64_t col = own.n * tile::N + first + i % 4 / 2 * 8;
        if (row < m && col < n)
            c[row * n + col] = sum[i];
    }
}

/* What a block does. WIDE: loads and copies move 16 bytes, which all rows of A and B permit if n and k are multiples
 * of 4. */
template <bool WIDE>
static __device__ inline void split_wgmma_block(int64_t m, int64_t n, int64_t k, const float *a, const float *b,
                                                float *c)
{
    typedef split_wgmma tile;
    extern __shared__ __align__(1024) unsigned char memory[];
    split_wgmma_shared *const shared = (split_wgmma_shared *)memory;
    const product_tile own = product_tile_of_block((m + tile::M - 1) / tile::M, (n + tile::N - 1) / tile::N);
    enum { CHUNK_K = tile::CHUNK * tile::K };
    const int steps = (int)((k + CHUNK_K - 1) / CHUNK_K) * tile::CHUNK; /* zeros fill the last chunk */
    if (threadIdx.x == 0)
        for (int stage = 0; stage < tile::STAGES; stage++) {
            mbarrier_init(&shared->full[stage], tile::GROUP);
            mbarrier_init(&shared->empty[stage], tile::CONSUMERS * tile::GROUP); /* racecheck wants every reader */
        }
    __syncthreads(); /* the barriers are ready before any thread uses them */
    if (threadIdx.x < tile::GROUP) {
        wgmma_give_registers<tile::PRODUCER_REGISTERS>();
        split_wgmma_produce<WIDE>(shared, m, n, k, own, steps, a, b);
    } else {
        wgmma_take_registers<tile::CONSUMER_REGISTERS>();
        split_wgmma_consume(shared, m, n, own, steps, c);
    }
}

#endif

template <bool WIDE>
__global__ void __launch_bounds__(split_wgmma::THREADS, 1)
    matmul_split_wgmma(int64_t m, int64_t n, int64_t k, const float *__restrict__ a, const float *__restrict__ b,
                       float *__restrict__ c)
{
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    split_wgmma_block<WIDE>(m, n, k, a, b, c);
#endif
}

#endif
