/* C = A B or C = A A^T from three TF32 products, for compute capability 9.0a: a warpgroup multiplies with wgmma.
 * SPDX-License-Identifier: MIT
 *
 * A block computes C^T = B^T A^T, where B is A^T if the product is symmetric. wgmma takes its left operand from
 * registers, so that B^T needs no transposition in memory, and its right operand from shared memory by columns, which
 * are the rows of A. A warpgroup of producers splits a tile of A on the way to shared memory, and starts the copy of a
 * tile of B. Each of the two warpgroups of consumers owns 64 columns of C. It multiplies a part of 8 steps along k,
 * while it splits the next part of B in registers. */
#ifndef TILELAB_COMMON_SPLIT_WGMMA_CUH
#define TILELAB_COMMON_SPLIT_WGMMA_CUH

#include "product_tiles.cuh"
#include "tf32_split.cuh"
#include "wgmma.cuh"

struct split_wgmma {
    enum {
        BM = 128,
        BN = 128,
        BK = 32, /* a step along k */
        STAGES = 4,
        GROUP = 128, /* threads of a warpgroup */
        CONSUMERS = 2,
        THREADS = (1 + CONSUMERS) * GROUP,
        /* Of a thread, a multiple of 8 each. Together the three warpgroups have 3 x 168. A symmetric product needs more
         * registers to copy, and the others are faster with more registers to multiply. */
        PRODUCER_REGISTERS = 120,
        CONSUMER_REGISTERS = 192,
        PRODUCER_REGISTERS_SYMMETRIC = 128,
        CONSUMER_REGISTERS_SYMMETRIC = 184,
        A_SIZE = BM * BK,
        /* The lanes of a warp read 4 x 8 elements of B, from different banks: 4 rows of 8 elements, or, of a tile of A
         * that stands for B, 8 rows of 4. */
        B_ROW = BN + 8,
        B_ROW_SYMMETRIC = BK + 4,
        B_SIZE = BN * B_ROW_SYMMETRIC > BK *B_ROW ? BN *B_ROW_SYMMETRIC : BK *B_ROW,
        SHARED_BYTES = STAGES * ((2 * A_SIZE + B_SIZE) * 4 + 2 * 8),
    };
};

/* For fewer terms, sums of three TF32 products have a larger error than f32, since the fourth product is left out. */
enum { SPLIT_LEAST_K = 129 };

/* Tensor cores truncate, so that their error grows with the number of terms that they sum. They sum the products of
 * one step or two, and the sums are added in f32. One step costs time, but where k is small, the errors of few sums do
 * not average out. If C is small, vendors' libraries divide k among blocks, so that their errors are small, too. */
static inline int split_wgmma_chunk(int64_t k, bool small)
{
    return k <= 1024 || small ? 1 : 2;
}

/* The operands of a product. A symmetric one has m = n, no B, and blocks for the tiles on and below the diagonal only.
 * `parts` has room for the sums of the blocks that share a tile. */
struct split_product {
    int64_t m, n, k;
    const float *a, *b;
    float *c, *parts;
    product_plan plan;
    int chunk; /* 1 or 2: steps whose products are summed on the tensor cores */
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
template <bool WIDE, bool SYMMETRIC>
static __device__ inline void split_wgmma_produce(split_wgmma_shared *shared, const split_product &of, product_tile own,
                                                  int first, int steps)
{
    typedef split_wgmma tile;
    enum { A_ROW = tile::BK / 4, APART = tile::GROUP / A_ROW, PARTS = tile::BM / APART };
    const int thread = threadIdx.x, row = thread / A_ROW, col = thread % A_ROW * 4;
    const int place = row * tile::BK + (col ^ row % 8 * 4);
    const int64_t k = of.k - (int64_t)first * tile::BK, first_n = own.n * tile::BN;
    const float *from[PARTS]; /* rows beyond the last one repeat it; their products are not stored */
    float4 next[2][PARTS];    /* one buffer is split, the other one is loaded */
#pragma unroll
    for (int part = 0; part < PARTS; part++)
        from[part] = of.a + min(own.m * tile::BM + row + part * APART, of.m - 1) * of.k + (of.k - k) + col;
    const float *const from_b = SYMMETRIC ? of.a + first_n * of.k + (of.k - k) : of.b + (of.k - k) * of.n + first_n;

    const auto load_a = [&](int step, int buffer) {
#pragma unroll
        for (int part = 0; part < PARTS; part++)
            next[buffer][part] =
                split_wgmma_load<WIDE>(from[part] + (int64_t)step * tile::BK, k - (int64_t)step * tile::BK - col);
    };
    const auto store_a = [&](int stage, int buffer) {
#pragma unroll
        for (int part = 0; part < PARTS; part++) {
            const float4 four = next[buffer][part];
            const tf32_parts x = tf32_split(four.x), y = tf32_split(four.y), z = tf32_split(four.z),
                             w = tf32_split(four.w);
            uint32_t *const to = (uint32_t *)shared->a[stage][0] + place + part * APART * tile::BK;
            *(uint4 *)to = make_uint4(x.big, y.big, z.big, w.big);
            *(uint4 *)(to + tile::A_SIZE) = make_uint4(x.small, y.small, z.small, w.small);
        }
    };
    const auto copy = [&](int step, int stage, int parity) {
        if (step < steps) {
            mbarrier_wait(&shared->empty[stage], parity); /* the consumers have read the stage's last tiles */
            const int64_t at = (int64_t)step * tile::BK;
            if constexpr (SYMMETRIC)
                product_copy<float, tile::BN, tile::BK, tile::GROUP, WIDE ? 16 : 4>::whole(
                    thread, shared->b[stage], from_b + at, of.k, of.n - first_n, k - at,
                    [](int i, int j) { return i * tile::B_ROW_SYMMETRIC + j; });
            else
                product_copy<float, tile::BK, tile::BN, tile::GROUP, WIDE ? 16 : 4>::whole(
                    thread, shared->b[stage], from_b + at * of.n, of.n, k - at, of.n - first_n,
                    [](int i, int j) { return i * tile::B_ROW + j; });
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

/* Stores the 64 sums of a thread, which owns rows `first` and first + 8 of the block's tile of C^T. */
template <bool WIDE, bool SYMMETRIC>
static __device__ inline void split_wgmma_store(const float (&sum)[split_wgmma::BM / 2], const split_product &of,
                                                product_tile own, int64_t part, int first, int t)
{
    typedef split_wgmma tile;
    const bool diagonal = own.m == own.n;
#pragma unroll
    for (int i = 0; i < tile::BM / 2; i += 2) {
        const int64_t row = own.m * tile::BM + i / 4 * 8 + 2 * t, col = own.n * tile::BN + first + i % 4 / 2 * 8;
#pragma unroll
        for (int o = 0; o < 2; o++) {
            if (part >= 0)
                of.parts[(part * tile::BM + i / 4 * 8 + 2 * t + o) * tile::BN + first + i % 4 / 2 * 8] = sum[i + o];
            else if (row + o < of.m && col < of.n && !(SYMMETRIC && diagonal && col > row + o))
                of.c[(row + o) * of.n + col] = sum[i + o];
        }
        if (SYMMETRIC && part < 0) { /* the mirror image */
            if (WIDE && !diagonal && row < of.m)
                *(float2 *)(of.c + col * of.n + row) = make_float2(sum[i], sum[i + 1]);
#pragma unroll
            for (int o = 0; o < 2; o++)
                if ((!WIDE || diagonal) && row + o < of.m && col < row + o)
                    of.c[col * of.n + row + o] = sum[i + o];
        }
    }
}

/* A warpgroup of consumers. */
template <bool WIDE, bool SYMMETRIC, int CHUNK>
static __device__ inline void split_wgmma_consume(split_wgmma_shared *shared, const split_product &of, product_tile own,
                                                  int64_t of_part, int steps)
{
    typedef split_wgmma tile;
    enum { PARTS = tile::BK / 8, SUMS = tile::BM / 2 };
    const int lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
    const int first = (threadIdx.x - tile::GROUP) / 32 * 16 + g; /* the thread owns this row of C^T, and first + 8 */
    float sum[SUMS] = {}, chunk[SUMS] = {};
    uint32_t big[PARTS][4], small[PARTS][4]; /* parts of B^T: one is loaded while another one is multiplied */

    const auto load_b = [&](int stage, int part) {
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const int row = part * 8 + i / 2 * 4 + t, col = first + i % 2 * 8;
            const tf32_parts x =
                tf32_split(shared->b[stage][SYMMETRIC ? col * tile::B_ROW_SYMMETRIC + row : row * tile::B_ROW + col]);
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
    for (int step = 0; step < steps; step += CHUNK) {
#pragma unroll
        for (int u = 0; u < CHUNK; u++) {
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
    split_wgmma_store<WIDE, SYMMETRIC>(sum, of, own, of_part, first, t);
}

/* What a block does. WIDE: loads and copies move 16 bytes, which all rows of A and B permit if n and k are multiples
 * of 4. */
template <bool WIDE, bool SYMMETRIC, int CHUNK> static __device__ inline void split_wgmma_block(const split_product &of)
{
    typedef split_wgmma tile;
    extern __shared__ __align__(1024) unsigned char memory[];
    split_wgmma_shared *const shared = (split_wgmma_shared *)memory;
    const product_work work = product_work_of_block(of.plan, (int)((of.k + CHUNK * tile::BK - 1) / (CHUNK * tile::BK)));
    const int64_t tiles_m = (of.m + tile::BM - 1) / tile::BM, tiles_n = (of.n + tile::BN - 1) / tile::BN;
    const product_tile own =
        SYMMETRIC ? product_triangle_at(work.tile, tiles_n, 1) : product_tile_at(work.tile, tiles_m, tiles_n);
    const int steps = (work.last - work.first) * CHUNK; /* zeros fill the last chunk */
    if (threadIdx.x == 0)
        for (int stage = 0; stage < tile::STAGES; stage++) {
            mbarrier_init(&shared->full[stage], tile::GROUP);
            mbarrier_init(&shared->empty[stage], tile::CONSUMERS * tile::GROUP); /* racecheck wants every reader */
        }
    __syncthreads(); /* the barriers are ready before any thread uses them */
    if (threadIdx.x < tile::GROUP) {
        wgmma_give_registers<SYMMETRIC ? tile::PRODUCER_REGISTERS_SYMMETRIC : tile::PRODUCER_REGISTERS>();
        split_wgmma_produce<WIDE, SYMMETRIC>(shared, of, own, work.first * CHUNK, steps);
    } else {
        wgmma_take_registers<SYMMETRIC ? tile::CONSUMER_REGISTERS_SYMMETRIC : tile::CONSUMER_REGISTERS>();
        split_wgmma_consume<WIDE, SYMMETRIC, CHUNK>(shared, of, own, work.part, steps);
    }
}

#endif

/* unless != NULL: the product is needed only if *unless is not 0. */
template <bool WIDE, bool SYMMETRIC, int CHUNK>
__global__ void __launch_bounds__(split_wgmma::THREADS, 1)
    product_split_wgmma(const __grid_constant__ split_product of, const int *unless)
{
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    if (!unless || *unless)
        split_wgmma_block<WIDE, SYMMETRIC, CHUNK>(of);
#endif
}

/* Starts the product. */
template <bool SYMMETRIC> static int split_wgmma_launch(struct job *job, const split_product &of, const int *unless)
{
    typedef split_wgmma tile;
    void (*const kernel[2][2])(split_product, const int *) = {
        {product_split_wgmma<false, SYMMETRIC, 1>, product_split_wgmma<false, SYMMETRIC, 2>},
        {product_split_wgmma<true, SYMMETRIC, 1>, product_split_wgmma<true, SYMMETRIC, 2>}};
    const auto run = kernel[of.n % 4 == 0 && of.k % 4 == 0][of.chunk - 1];
    CUDA_TRY(job, cudaFuncSetAttribute(run, cudaFuncAttributeMaxDynamicSharedMemorySize, tile::SHARED_BYTES));
    run<<<(unsigned)product_plan_blocks(of.plan), tile::THREADS, tile::SHARED_BYTES, (cudaStream_t)job->stream>>>(
        of, unless);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

/* --- What a variant does whose whole state is this --- */

struct split_wgmma_state {
    product_plan plan;
    int chunk;
    float *parts; /* sums of the blocks that share a tile */
};

static inline void split_wgmma_release(struct job *job)
{
    split_wgmma_state *const state = (split_wgmma_state *)job->state;
    if (state)
        cudaFree(state->parts);
    delete state;
    job->state = NULL;
}

static inline int split_wgmma_allocate(struct job *job, float **parts, size_t count)
{
    if (count > 0)
        CUDA_TRY(job, cudaMalloc(parts, count * split_wgmma::BM * split_wgmma::BN * sizeof(float)));
    return 0;
}

template <bool SYMMETRIC> static int split_wgmma_prepare(struct job *job, int64_t m, int64_t n, int64_t k)
{
    typedef split_wgmma tile;
    int device, multiprocessors;
    CUDA_TRY(job, cudaGetDevice(&device));
    CUDA_TRY(job, cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    const int64_t tiles_m = product_tiles(m, tile::BM), tiles_n = product_tiles(n, tile::BN);
    const int64_t tiles = SYMMETRIC ? product_triangle(tiles_n, 1) : tiles_m * tiles_n;
    split_wgmma_state *const state = new split_wgmma_state();
    job->state = state;
    state->chunk = split_wgmma_chunk(k, !SYMMETRIC && tiles < multiprocessors);
    state->plan = product_plan_make(tiles, product_tiles(k, state->chunk * tile::BK), multiprocessors);
    if (split_wgmma_allocate(job, &state->parts, (size_t)(state->plan.rest * state->plan.parts)) == 0)
        return 0;
    split_wgmma_release(job);
    return -1;
}

template <bool SYMMETRIC>
static int split_wgmma_multiply(struct job *job, int64_t m, int64_t n, int64_t k, const float *a, const float *b,
                                float *c)
{
    typedef split_wgmma tile;
    const split_wgmma_state *const state = (split_wgmma_state *)job->state;
    if (split_wgmma_launch<SYMMETRIC>(job, {m, n, k, a, b, c, state->parts, state->plan, state->chunk}, NULL) != 0)
        return -1;
    return product_finish_parts<float, tile::BM, tile::BN, SYMMETRIC>(job, state->plan, state->parts, m, n, c);
}

#endif
