/* Products on ordinary cores, C = A B or C = A A^T, for the device part of a kernel file.
 * SPDX-License-Identifier: MIT
 *
 * A block has warps that only multiply and warps that only copy, asynchronously, the tiles of the steps to come from
 * global to shared memory. Both tiles lie so that the elements which a thread needs together are neighbours.
 * matmul/cuda-async is the same idea in one file. Its large blocks are faster than blocks made from this header. */
#ifndef TILELAB_COMMON_PRODUCT_ASYNC_CUH
#define TILELAB_COMMON_PRODUCT_ASYNC_CUH

#include "cuda_variant.cuh"
#include "product_tiles.cuh"
#include "vector.cuh"

enum { WARP = 32, ASYNC_COPIERS = 128 };

/* How a block divides its work. It owns BM x BN elements of C, and walks along k in steps of BK. SYMMETRIC: the product
 * is A A^T, so that both tiles are tiles of A, and blocks exist for the tiles on and below the diagonal only. SLICES
 * groups of warps share the products of a step. The tiles of a block take at most KIB KiB of shared memory. A
 * multiprocessor shall hold BLOCKS blocks if the code is built for 9.0a. There warps that copy can give registers to
 * those that multiply. */
template <typename real_, bool SYMMETRIC_, int M_, int N_, int MULTIPLIERS_, int SLICES_, int LANES_N_, int KIB,
          int BLOCKS_>
struct async_shape {
    typedef real_ real;
    enum {
        SYMMETRIC = SYMMETRIC_,
        V = vector16<real>::COUNT,
        BM = M_,
        BN = N_,
        BK = 128 / sizeof(real),
        MULTIPLIERS = MULTIPLIERS_,
        THREADS = MULTIPLIERS + ASYNC_COPIERS,
        SLICES = SLICES_,
        WARPS_M = M_ / (8 * (WARP / LANES_N_)), /* a thread has 8 rows */
        WARPS_N = MULTIPLIERS / WARP / SLICES / WARPS_M,
        LANES_N = LANES_N_,
        LANES_M = WARP / LANES_N,
        TM = BM / WARPS_M / LANES_M, /* of a thread */
        TN = BN / WARPS_N / LANES_N,
        A_ROW = BM + V, /* from one k to the next in a tile that lies transposed; copies then avoid conflicts */
        B_ROW = SYMMETRIC ? BN + V : BN,
        A_TILE = BK * A_ROW,
        STAGE = A_TILE + BK * B_ROW, /* both tiles of a step */
        STAGES = KIB * 1024 / (STAGE * sizeof(real)),
        BLOCKS = BLOCKS_,
        /* Of a thread that multiplies, and of one that copies. */
        REGISTERS = BLOCKS > 1 ? 216
                    : TN == 16 ? 232
                               : 224,
        COPIER_REGISTERS = BLOCKS > 1 || TN == 16 ? 40 : 56,
        UNROLL = TN == 16 ? 2 : 4 /* elements of k in the body of the inner loop; longer bodies are slower */
    };
    static constexpr int shared_bytes = STAGES * STAGE * (int)sizeof(real);
};

template <typename real> struct async_product {
    int64_t m, n, k;
    const real *a, *b; /* b: NULL if the product is symmetric */
    real *c, *parts;   /* parts: room for the sums of blocks that share a tile */
    product_plan plan;
};

/* A barrier of the whole block, like __syncthreads(), for warps that are at different places of the code. */
__device__ static inline void async_block_barrier()
{
    asm volatile("barrier.sync 0;" ::: "memory");
}

/* A barrier of the warps that multiply. */
template <int MULTIPLIERS> __device__ static inline void async_multipliers_barrier()
{
    asm volatile("barrier.sync 1, %0;" ::"n"(MULTIPLIERS) : "memory");
}

/* The part of C that a block works on, and the steps that it does. */
struct async_own {
    int64_t first_row, first_col;
    int rows, cols; /* that exist */
    int first, last;
    int64_t part;
    bool diagonal; /* the diagonal of a symmetric C goes through the tile */
    int below;     /* element (i, j) of the tile lies on or below this diagonal if j <= i + below */
};

/* --- The warps that copy --- */

/* Starts the copy of TM rows of A, of which `rows` exist, to a tile that lies transposed. Rows of A may start
 * anywhere: elements are copied one by one, since a copy cannot transpose. 8 x 16 threads copy as many elements at a
 * time, neighbours along k first. */
template <typename shape, int TM, int APART, typename real>
static __device__ inline void async_copy_rows(int thread, real *to, const real *from, int64_t k, int rows)
{
    enum { THREADS_K = 8, THREADS_M = ASYNC_COPIERS / THREADS_K };
    const int from_l = thread % THREADS_K, from_row = thread / THREADS_K;
    from += from_row * k + from_l;
    to += from_l * APART + from_row;
#pragma unroll 2
    for (int row = 0; row < TM; row += THREADS_M) {
        if (row + from_row < rows) {
#pragma unroll
            for (int l = 0; l < shape::BK; l += THREADS_K)
                copy_async<sizeof(real)>(to + l * APART, from + l, sizeof(real));
        }
        from += THREADS_M * k;
        to += THREADS_M;
    }
}

/* The same for the BK rows of B. */
template <typename shape, bool WIDE, typename real>
static __device__ inline void async_copy_b(int thread, real *to, const real *b, int64_t n, int cols)
{
    enum {
        AT_ONCE = WIDE ? shape::V : 1,
        THREADS_N = shape::BN / AT_ONCE < ASYNC_COPIERS ? shape::BN / AT_ONCE : ASYNC_COPIERS,
    };
    for (int col = thread % THREADS_N * AT_ONCE; col < cols; col += THREADS_N * AT_ONCE) {
        const real *const from = b + thread / THREADS_N * n + col;
        real *const at = to + thread / THREADS_N * shape::B_ROW + col;
#pragma unroll
        for (int l = 0; l < shape::BK; l += ASYNC_COPIERS / THREADS_N)
            copy_async<AT_ONCE * sizeof(real)>(at + l * shape::B_ROW, from + l * n, AT_ONCE * sizeof(real));
    }
}

/* A tile of a step that is shorter than BK: `part` elements along k exist, and the rest of the tile is zero. Elements
 * of the tile along k are `row` apart there, and `apart_k` in memory; along C they are neighbours and `apart` apart. */
template <int BK, typename real>
static __device__ inline void async_copy_part(int thread, real *to, int row, const real *from, int64_t apart_k,
                                              int64_t apart, int part, int count)
{
#pragma unroll 1
    for (int i = thread; i < BK * count; i += ASYNC_COPIERS) {
        const int l = i / count, at = i % count;
        copy_async<sizeof(real)>(to + l * row + at, from + min(l, part - 1) * apart_k + at * apart,
                                 l < part ? sizeof(real) : 0);
    }
}

/* Outside of C, tiles keep what they had, since the sums are not stored. */
template <typename shape, bool WIDE, typename real>
static __device__ inline void async_copy(int thread, real *shared, const async_product<real> &of, const async_own &own)
{
    enum { BK = shape::BK };
    const int part = (int)((of.k - 1) % BK + 1); /* the length of step 0, so that all other steps have BK */
    const real *const a = of.a + own.first_row * of.k;
    const real *const b = shape::SYMMETRIC ? of.a + own.first_col * of.k : of.b + own.first_col;
    const auto copy = [&](int step) {
        real *const to = shared + (step - own.first) % shape::STAGES * shape::STAGE;
        const int64_t first = step == 0 ? 0 : part + (int64_t)(step - 1) * BK;
        if (step == 0 && part < BK) {
            async_copy_part<BK>(thread, to, shape::A_ROW, a, 1, of.k, part, own.rows);
            async_copy_part<BK>(thread, to + shape::A_TILE, shape::B_ROW, b, shape::SYMMETRIC ? 1 : of.n,
                                shape::SYMMETRIC ? of.k : 1, part, own.cols);
        } else {
            async_copy_rows<shape, shape::BM, shape::A_ROW>(thread, to, a + first, of.k, own.rows);
            if constexpr (shape::SYMMETRIC)
                async_copy_rows<shape, shape::BN, shape::B_ROW>(thread, to + shape::A_TILE, b + first, of.k, own.cols);
            else
                async_copy_b<shape, WIDE>(thread, to + shape::A_TILE, b + first * of.n, of.n, own.cols);
        }
        copy_async_commit();
    };
    copy(own.first);
#pragma unroll 1
    for (int step = own.first + 1; step < own.last + shape::STAGES - 1; step++) {
        if (step - own.first >= shape::STAGES - 1) {
            copy_async_wait<shape::STAGES - 2>();
            async_block_barrier(); /* step - STAGES + 1 is complete before it is read; the one before has been read */
        }
        if (step < own.last)
            copy(step);
        else
            copy_async_commit();
    }
    async_block_barrier(); /* the other warps meet once more after their last step */
}

/* --- The warps that multiply --- */

/* Stores the sums of a thread whose first element of the tile is (row, col). */
template <typename shape, bool WIDE, typename real>
static __device__ inline void async_store(real (&sum)[shape::TM][shape::TN], const async_product<real> &of,
                                          const async_own &own, int row, int col)
{
    typedef vector16<real> vector;
    enum { V = shape::V, TM = shape::TM, TN = shape::TN };
    const bool shared = shape::SYMMETRIC && own.part >= 0, whole = !shape::SYMMETRIC || !own.diagonal || shared;
    const int64_t ld = shared ? shape::BN : of.n;
    real *const c = shared ? of.parts + own.part * shape::BM * shape::BN : of.c + own.first_row * of.n + own.first_col;
    const int rows = shared ? shape::BM : own.rows, cols = shared ? shape::BN : own.cols;
#pragma unroll
    for (int i = 0; i < TM; i++) {
        const int at = row + i / V * shape::LANES_M * V + i % V;
#pragma unroll
        for (int j = 0; j < TN; j += V) {
            const int first = col + j * shape::LANES_N, end = whole ? cols : min(cols, at + own.below + 1);
            const vector sums = vector16_of(&sum[i][j]);
            if (at >= rows)
                continue;
            if (whole)
                vector16_store<WIDE>(c + at * ld + first, end - first, sums);
            else
                vector16_store<false>(c + at * ld + first, end - first, sums);
        }
    }
    if (!shape::SYMMETRIC || shared)
        return;
    real *const mirror = of.c + own.first_col * of.n + own.first_row;
#pragma unroll
    for (int j = 0; j < TN; j++) {
        const int at = col + j / V * shape::LANES_N * V + j % V;
#pragma unroll
        for (int i = 0; i < TM; i += V) {
            const int first = row + i * shape::LANES_M;
            const vector sums = vector16_of(&sum[i][j], TN);
            if (at >= own.cols)
                continue;
            if (whole)
                vector16_store<WIDE>(mirror + at * of.n + first, own.rows - first, sums);
#pragma unroll
            for (int v = 0; v < V; v++)
                if (!whole && first + v + own.below > at && first + v < own.rows)
                    mirror[at * of.n + first + v] = sums.value[v];
        }
    }
}

/* Adds the sums of the second slice to those of the first one. Returns whether the thread has sums to store. */
template <typename shape, typename real>
static __device__ inline bool async_add_slices(real (&sum)[shape::TM][shape::TN], real *shared, int slice)
{
    typedef vector16<real> vector;
    enum { V = shape::V, TN = shape::TN, THREADS = shape::MULTIPLIERS / 2, VECTORS = shape::TM * TN / V };
    static_assert(THREADS * VECTORS * 16 <= shape::shared_bytes, "the second slice's sums fit into shared memory");
    vector *const halves = (vector *)shared + threadIdx.x % THREADS;
    async_multipliers_barrier<shape::MULTIPLIERS>(); /* all tiles have been read before the halves overwrite them */
    if (slice == 1) {
#pragma unroll
        for (int i = 0; i < VECTORS; i++)
            halves[i * THREADS] = vector16_of(&sum[i * V / TN][i * V % TN]);
    }
    async_multipliers_barrier<shape::MULTIPLIERS>(); /* the second halves are complete before they are added */
    if (slice == 1)
        return false;
#pragma unroll
    for (int i = 0; i < VECTORS; i++) {
        const vector half = halves[i * THREADS];
#pragma unroll
        for (int v = 0; v < V; v++)
            sum[i * V / TN][i * V % TN + v] += half.value[v];
    }
    return true;
}

/* A lane's number tells its place among LANES_M x LANES_N: lanes that differ in bit 0 read the same elements of A, and
 * lanes that differ in bit 1 the same of B, so that one access serves 16 lanes. */
template <typename shape, bool WIDE, typename real>
static __device__ inline void async_multiply(real *shared, const async_product<real> &of, const async_own &own)
{
    typedef vector16<real> vector;
    enum { V = shape::V, A_ROW = shape::A_ROW, B_ROW = shape::B_ROW, UNROLL = shape::UNROLL };
    enum { TM = shape::TM, TN = shape::TN, SLICE_K = shape::BK / shape::SLICES };
    enum { WARPS = shape::MULTIPLIERS / WARP / shape::SLICES };
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP % WARPS;
    const int slice = threadIdx.x / (WARPS * WARP);
    const int lane_n = lane % 2 + lane / 8 % (shape::LANES_N / 2) * 2,
              lane_m = lane / 2 % 4 + lane / 16 % (shape::LANES_M / 4) * 4;
    const int row = warp % shape::WARPS_M * (shape::BM / shape::WARPS_M) + lane_m * V;
    const int col = warp / shape::WARPS_M * (shape::BN / shape::WARPS_N) + lane_n * V;
    const real *const a_first = shared + slice * SLICE_K * A_ROW + row;
    const real *const b_first = shared + shape::A_TILE + slice * SLICE_K * B_ROW + col;
    real sum[TM][TN] = {};
    vector left[2][TM / V], right[2][TN / V]; /* elements of one l, and of the next */
    const auto load = [&](int to, const real *a_from, const real *b_from) {
#pragma unroll
        for (int j = 0; j < TN / V; j++)
            right[to][j] = *(const vector *)(b_from + j * shape::LANES_N * V);
#pragma unroll
        for (int i = 0; i < TM / V; i++)
            left[to][i] = *(const vector *)(a_from + i * shape::LANES_M * V);
    };
    async_block_barrier(); /* the tiles of the first step are complete before they are read */
    load(0, a_first, b_first);
    const real *a_next = a_first + A_ROW, *b_next = b_first + B_ROW;
    const int steps = own.last - own.first;
    for (int step = 0; step < steps; step++)
#pragma unroll 1
        for (int first = 0; first < SLICE_K; first += UNROLL) {
#pragma unroll
            for (int l = 0; l < UNROLL; l++) {
                if (l == UNROLL - 1 && first == SLICE_K - UNROLL) {
                    async_block_barrier(); /* this step's tiles have been read, and the next ones are complete */
                    const int stage = (step + 1) % shape::STAGES * shape::STAGE;
                    a_next = a_first + stage - l * A_ROW;
                    b_next = b_first + stage - l * B_ROW;
                }
                load((l + 1) % 2, a_next + l * A_ROW, b_next + l * B_ROW);
#pragma unroll
                for (int i = 0; i < TM; i++)
#pragma unroll
                    for (int j = 0; j < TN; j++) {
                        const int to = i % 2 ? TN - 1 - j : j; /* there and back, so that registers are used again */
                        sum[i][to] += left[l % 2][i / V].value[i % V] * right[l % 2][to / V].value[to % V];
                    }
            }
            a_next += UNROLL * A_ROW;
            b_next += UNROLL * B_ROW;
        }
    if constexpr (shape::SLICES == 2)
        if (!async_add_slices<shape>(sum, shared, slice))
            return;
    async_store<shape, WIDE>(sum, of, own, row, col);
}

/* --- The kernel --- */

#ifdef __CUDA_ARCH_FEAT_SM90_ALL
#define ASYNC_BLOCKS(shape) shape::BLOCKS
#else
#define ASYNC_BLOCKS(shape) 1
#endif

/* WIDE: all rows of B and C start at multiples of 16 bytes. */
template <typename shape, bool WIDE>
__global__ void __launch_bounds__(shape::THREADS, ASYNC_BLOCKS(shape))
    product_async(const __grid_constant__ async_product<typename shape::real> of)
{
    typedef typename shape::real real;
    extern __shared__ uint4 shared_memory[];
    real *const shared = (real *)shared_memory;
    const product_work work = product_work_of_block(of.plan, (int)((of.k + shape::BK - 1) / shape::BK));
    const int64_t tiles_m = (of.m + shape::BM - 1) / shape::BM, tiles_n = (of.n + shape::BN - 1) / shape::BN;
    const product_tile tile = shape::SYMMETRIC ? product_triangle_at(work.tile, tiles_n, shape::BN / shape::BM)
                                               : product_tile_at(work.tile, tiles_m, tiles_n, 1);
    const int64_t first_row = tile.m * shape::BM, first_col = tile.n * shape::BN;
    const async_own own = {first_row,
                           first_col,
                           (int)min((int64_t)shape::BM, of.m - first_row),
                           (int)min((int64_t)shape::BN, of.n - first_col),
                           work.first,
                           work.last,
                           work.part,
                           first_row < first_col + shape::BN,
                           (int)(first_row - first_col)};
    if (threadIdx.x >= shape::MULTIPLIERS) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
        /* Leaves registers to the warps that multiply. */
        asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"((int)shape::COPIER_REGISTERS));
#endif
        async_copy<shape, WIDE>(threadIdx.x - shape::MULTIPLIERS, shared, of, own);
    } else {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
        asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"((int)shape::REGISTERS));
#endif
        async_multiply<shape, WIDE>(shared, of, own);
    }
}

template <typename shape> static int64_t async_tiles(int64_t m, int64_t n)
{
    return shape::SYMMETRIC ? product_triangle(product_tiles(n, shape::BN), shape::BN / shape::BM)
                            : product_tiles(m, shape::BM) * product_tiles(n, shape::BN);
}

template <typename shape> static int async_launch(struct job *job, const async_product<typename shape::real> &of)
{
    const auto kernel = of.n % shape::V == 0 ? product_async<shape, true> : product_async<shape, false>;
    CUDA_TRY(job, cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shape::shared_bytes));
    kernel<<<(unsigned)product_plan_blocks(of.plan), shape::THREADS, shape::shared_bytes, (cudaStream_t)job->stream>>>(
        of);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

/* --- For kernels that leave some products to ordinary cores --- */

/* C = A B in small tiles, for any shape. */
template <typename real>
static int async_matmul(struct job *job, int64_t m, int64_t n, int64_t k, const real *a, const real *b, real *c)
{
    typedef async_shape<real, false, 64, 128, 256, 2, 8, 99, 1> shape;
    return async_launch<shape>(job, {m, n, k, a, b, c, NULL, {async_tiles<shape>(m, n), 0, 1}});
}

/* C = A A^T likewise. */
template <typename real> static int async_aat(struct job *job, int64_t n, int64_t k, const real *a, real *c)
{
    typedef async_shape<real, true, 128, 128, 128, 1, 4, 68, 2> shape;
    return async_launch<shape>(job, {n, n, k, a, NULL, c, NULL, {async_tiles<shape>(n, n), 0, 1}});
}

#endif
