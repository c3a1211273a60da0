/* C = A B from three FP16 products of the tiles that half_tiles.cuh makes, for compute capability 9.0a.
 * SPDX-License-Identifier: MIT
 *
 * One thread of a warpgroup of producers starts the copies of tiles to shared memory. Each of the two warpgroups of
 * consumers owns 64 rows of C. Its products with big parts only and its products with a small part have sums of their
 * own, whose scales differ. While one of the two sums is computed, the other one is added to the sum in f32. */
#ifndef TILELAB_MATMUL_HALF_WGMMA_CUH
#define TILELAB_MATMUL_HALF_WGMMA_CUH

#include "common/product_tiles.cuh"
#include "common/wgmma.cuh"
#include "half_tiles.cuh"

struct half_wgmma {
    enum {
        BM = half_tile::ROWS,
        BN = half_tile::ROWS,
        STAGES = 3,
        GROUP = 128, /* threads of a warpgroup */
        CONSUMERS = 2,
        THREADS = (1 + CONSUMERS) * GROUP,
        /* A multiple of 8 each. Together the three warpgroups have 3 x 168 registers a thread. */
        PRODUCER_REGISTERS = 24,
        CONSUMER_REGISTERS = 240,
        SHARED_BYTES = STAGES * (2 * half_tile::BYTES + 2 * 8 + 8),
    };
};

struct half_wgmma_shared {
    __half a[half_wgmma::STAGES][2][half_tile::SIZE]; /* big and small parts */
    __half b[half_wgmma::STAGES][2][half_tile::SIZE];
    unsigned long long full[half_wgmma::STAGES], empty[half_wgmma::STAGES]; /* barriers */
    float scale[half_wgmma::STAGES];
};

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

/* The thread that produces. It sets *unsafe if two tiles would lose too much. */
static __device__ inline void half_wgmma_produce(half_wgmma_shared *shared, int steps, const uint4 *a, const uint4 *b,
                                                 const half_facts *facts_a, const half_facts *facts_b, int *unsafe)
{
    typedef half_wgmma tile;
    enum { VECTORS = half_tile::BYTES / 16 };
    bool safe = true;
    for (int step = 0, stage = 0, parity = 1; step < steps; step++) {
        const half_facts of_a = facts_a[step], of_b = facts_b[step];
        safe = safe && half_is_safe(of_a, of_b);
        mbarrier_wait(&shared->empty[stage], parity); /* the consumers have read the stage's last tiles */
        shared->scale[stage] = of_a.scale * of_b.scale;
        mbarrier_expect(&shared->full[stage], 2 * half_tile::BYTES);
        bulk_copy(shared->a[stage], a + (int64_t)step * VECTORS, half_tile::BYTES, &shared->full[stage]);
        bulk_copy(shared->b[stage], b + (int64_t)step * VECTORS, half_tile::BYTES, &shared->full[stage]);
        stage = stage + 1 < tile::STAGES ? stage + 1 : 0;
        parity ^= stage == 0;
    }
    if (!safe)
        *unsafe = 1;
}

/* A warpgroup of consumers. WIDE: n is even, so that C is stored by 8 bytes. */
template <bool WIDE>
static __device__ inline void half_wgmma_consume(half_wgmma_shared *shared, int64_t m, int64_t n, product_tile own,
                                                 int steps, float *c)
{
    typedef half_wgmma tile;
    enum { SUMS = tile::BN / 2, PARTS = half_tile::BK / 16 };
    const int group = threadIdx.x / tile::GROUP - 1, lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
    const int first_half = group * 64 * half_tile::BK;
    float sum[SUMS] = {}, of_big[SUMS], of_small[SUMS];
    const auto add = [&](float(&part)[SUMS], float by) {
        wgmma_hold(part);
#pragma unroll
        for (int i = 0; i < SUMS; i++)
            sum[i] = fmaf(part[i], by, sum[i]);
        wgmma_hold(part);
    };

    for (int step = 0, stage = 0, parity = 0; step < steps; step++) {
        mbarrier_wait(&shared->full[stage], parity); /* the tiles are complete */
        const uint64_t a_big = wgmma_describe(shared->a[stage][0] + first_half),
                       a_small = wgmma_describe(shared->a[stage][1] + first_half),
                       b_big = wgmma_describe(shared->b[stage][0]), b_small = wgmma_describe(shared->b[stage][1]);
        const float scale = shared->scale[stage];
        wgmma_fence();
#pragma unroll
        for (int part = 0; part < PARTS; part++)
            wgmma_f16(of_big, a_big + part * 2, b_big + part * 2, part > 0);
        wgmma_commit();
#pragma unroll
        for (int part = 0; part < PARTS; part++) {
            wgmma_f16(of_small, a_small + part * 2, b_big + part * 2, part > 0);
            wgmma_f16(of_small, a_big + part * 2, b_small + part * 2, true);
        }
        wgmma_commit();
        wgmma_wait<1>(); /* the big parts are multiplied */
        add(of_big, scale);
        wgmma_wait<0>();
        mbarrier_arrive(&shared->empty[stage]); /* this warpgroup has read the tiles */
        add(of_small, scale * 0x1p-11f);
        stage = stage + 1 < tile::STAGES ? stage + 1 : 0;
        parity ^= stage == 0;
    }

#pragma unroll
    for (int i = 0; i < SUMS; i += 2) {
        const int64_t row = own.m * tile::BM + group * 64 + threadIdx.x / 32 % 4 * 16 + i % 4 / 2 * 8 + g;
        const int64_t col = own.n * tile::BN + i / 4 * 8 + 2 * t;
        if (WIDE && row < m && col < n)
            *(float2 *)(c + row * n + col) = make_float2(sum[i], sum[i + 1]);
#pragma unroll
        for (int of = 0; !WIDE && of < 2; of++)
            if (row < m && col + of < n)
                c[row * n + col + of] = sum[i + of];
    }
}

#endif

/* `parts` and `facts` have the tiles of A, by rows, and then the tiles of B, by columns. */
template <bool WIDE>
__global__ void __launch_bounds__(half_wgmma::THREADS, 1)
    matmul_half_wgmma(int64_t m, int64_t n, int64_t k, const uint4 *__restrict__ parts,
                      const half_facts *__restrict__ facts, float *__restrict__ c, int *unsafe)
{
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    typedef half_wgmma tile;
    extern __shared__ __align__(1024) unsigned char memory[];
    half_wgmma_shared *const shared = (half_wgmma_shared *)memory;
    const int64_t tiles_m = (m + tile::BM - 1) / tile::BM, tiles_n = (n + tile::BN - 1) / tile::BN;
    const product_tile own = product_tile_of_block(tiles_m, tiles_n);
    const int steps = (int)((k + half_tile::BK - 1) / half_tile::BK);
    if (threadIdx.x == 0)
        for (int stage = 0; stage < tile::STAGES; stage++) {
            mbarrier_init(&shared->full[stage], 1);
            mbarrier_init(&shared->empty[stage], tile::CONSUMERS * tile::GROUP);
        }
    wgmma_publish(); /* the copy engine uses the barriers too */
    __syncthreads(); /* the barriers are ready before any thread uses them */
    if (threadIdx.x < tile::GROUP) {
        wgmma_give_registers<tile::PRODUCER_REGISTERS>();
        const int64_t at_a = own.m * steps, at_b = (tiles_m + own.n) * steps;
        enum { VECTORS = half_tile::BYTES / 16 };
        if (threadIdx.x == 0)
            half_wgmma_produce(shared, steps, parts + at_a * VECTORS, parts + at_b * VECTORS, facts + at_a,
                               facts + at_b, unsafe);
    } else {
        wgmma_take_registers<tile::CONSUMER_REGISTERS>();
        half_wgmma_consume<WIDE>(shared, m, n, own, steps, c);
    }
#endif
}

#endif
