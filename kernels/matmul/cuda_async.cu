/* C = A B by warps that only multiply and warps that only copy, asynchronously, one or more tiles ahead.
 * A (m x k), B (k x n) and C (m x n) are row-major; any shape, m up to 65535 x 64. Compute capability 8.0.
 * A block has 8 warps that multiply as in cuda-warptile, and 4 that copy the tiles of the steps to come from global to
 * shared memory. A thread owns 8 x 16 elements of C, in f64 8 x 8. If large blocks would leave multiprocessors idle,
 * blocks are small: two groups of 4 warps sum one half of each step's products each, 8 x 8 elements a thread.
 * Shared memory is a ring of S stages, each with both tiles of a step. The numbers are those of steps, and a bar is a
 * barrier of the whole block:
 *     warps that copy       0 to S - 2 | S - 1 | S | S + 1 | ...
 *     warps that multiply              |   0   | 1 |   2   | ...
 * Differs from cuda-warptile: copies have warps of their own. Source: tilelab, after CudaDMA (Bauer et al. 2011).
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

/* The rows of a small block. */
enum { SMALL_M = 64 };

#ifdef __CUDACC__

#include "common/copy_async.cuh"
#include "common/vector.cuh"

enum { WARP = 32, MULTIPLIERS = 256, COPIERS = 128 };

/* How a block divides its work. It owns BM x BN elements of C, and walks along k in steps of BK. */
template <typename real, bool SMALL> struct block_shape {
    enum {
        V = vector16<real>::COUNT,
        BM = SMALL ? SMALL_M : 128,
        BN = SMALL || sizeof(real) == 8 ? 128 : 256,
        BK = 128 / sizeof(real),
        SLICES = SMALL ? 2 : 1, /* groups of warps, which share the products of a step */
        WARPS_M = 2,
        WARPS_N = MULTIPLIERS / WARP / SLICES / WARPS_M,
        LANES_N = SMALL ? 8 : 4,
        LANES_M = WARP / LANES_N,
        TM = BM / WARPS_M / LANES_M, /* of a thread */
        TN = BN / WARPS_N / LANES_N,
        A_ROW =
            BM + V, /* from one k to the next in the tile of A, which lies transposed; copies then avoid conflicts */
        B_ROW = BN,
        A_TILE = BK * A_ROW,
        STAGE = A_TILE + BK * B_ROW,                 /* both tiles of a step */
        STAGES = 99 * 1024 / (STAGE * sizeof(real)), /* 99 KiB: what devices from 8.0 on have */
        UNROLL = SMALL ? 4 : 2 /* elements of k in the body of the inner loop; longer bodies are slower */
    };
    static constexpr int shared_bytes = STAGES * STAGE * (int)sizeof(real);
};

/* A barrier of the whole block, like __syncthreads(), for warps that are at different places of the code. */
__device__ static inline void block_barrier()
{
    asm volatile("barrier.sync 0;" ::: "memory");
}

/* A barrier of the warps that multiply. */
__device__ static inline void multipliers_barrier()
{
    asm volatile("barrier.sync 1, %0;" ::"n"((int)MULTIPLIERS) : "memory");
}

/* WIDE: all rows of B and C start at multiples of 16 bytes. Rows of A may start anywhere: elements of A are copied one
 * by one, since a copy cannot transpose. */
template <typename real, bool SMALL, bool WIDE>
__global__ void __launch_bounds__(MULTIPLIERS + COPIERS, 1)
    matmul_async(int64_t m, int64_t n, int64_t k, const real *__restrict__ a, const real *__restrict__ b,
                 real *__restrict__ c)
{
    typedef vector16<real> vector;
    typedef block_shape<real, SMALL> shape;
    enum { V = shape::V, BM = shape::BM, BN = shape::BN, BK = shape::BK, A_ROW = shape::A_ROW, B_ROW = shape::B_ROW };
    extern __shared__ uint4 shared_memory[];
    real *const shared = (real *)shared_memory;
    const int64_t first_row = (int64_t)blockIdx.y * BM, first_col = (int64_t)blockIdx.x * BN;
    const int rows = (int)min((int64_t)BM, m - first_row), cols = (int)min((int64_t)BN, n - first_col);
    const int steps = (int)((k + BK - 1) / BK);

    if (threadIdx.x >= MULTIPLIERS) {
        /* The warps that copy. Outside of C, tiles keep what they had, since the sums are not stored. 8 x 16 threads
         * copy as many elements of A at a time, neighbours along k first. */
        enum { AT_ONCE = WIDE ? V : 1, A_THREADS = 8, B_THREADS = BN / AT_ONCE < COPIERS ? BN / AT_ONCE : COPIERS };
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;"); /* leaves registers to the warps that multiply */
#endif
        const int thread = threadIdx.x - MULTIPLIERS;
        const int a_l = thread % A_THREADS, a_row = thread / A_THREADS, b_l = thread / B_THREADS;
        const int part = (int)((k - 1) % BK + 1); /* the length of step 0, so that all other steps have BK */
        const auto copy = [&](int step) {
            real *const stage = shared + step % shape::STAGES * shape::STAGE;
            const int64_t first = step == 0 ? 0 : part + (int64_t)(step - 1) * BK;
            const real *from = a + (first_row + a_row) * k + first + a_l;
            real *to = stage + a_l * A_ROW + a_row;
#pragma unroll 2
            for (int row = 0; row < BM; row += COPIERS / A_THREADS) {
                if (row + a_row < rows) {
#pragma unroll
                    for (int l = 0; l < BK; l += A_THREADS)
                        copy_async<sizeof(real)>(to + l * A_ROW, from + l, sizeof(real));
                }
                from += COPIERS / A_THREADS * k;
                to += COPIERS / A_THREADS;
            }
            for (int col = thread % B_THREADS * AT_ONCE; col < cols; col += B_THREADS * AT_ONCE) {
                from = b + (first + b_l) * n + first_col + col;
                to = stage + shape::A_TILE + b_l * B_ROW + col;
#pragma unroll
                for (int l = 0; l < BK; l += COPIERS / B_THREADS)
                    copy_async<AT_ONCE * sizeof(real)>(to + l * B_ROW, from + l * n, AT_ONCE * sizeof(real));
            }
            copy_async_commit();
        };
        /* Step 0, if it is shorter than BK: the rest of its tiles is zero. */
        const auto copy_part = [&]() {
#pragma unroll 1
            for (int i = thread; i < rows * BK; i += COPIERS)
                copy_async<sizeof(real)>(shared + i % BK * A_ROW + i / BK,
                                         a + (first_row + i / BK) * k + min(i % BK, part - 1),
                                         i % BK < part ? sizeof(real) : 0);
#pragma unroll 1
            for (int i = thread; i < BK * cols; i += COPIERS)
                copy_async<sizeof(real)>(shared + shape::A_TILE + i / cols * B_ROW + i % cols,
                                         b + min(i / cols, part - 1) * n + first_col + i % cols,
                                         i / cols < part ? sizeof(real) : 0);
            copy_async_commit();
        };
        if (part == BK)
            copy(0);
        else
            copy_part();
        for (int step = 1; step < steps + shape::STAGES - 1; step++) {
            if (step >= shape::STAGES - 1) {
                copy_async_wait<shape::STAGES - 2>();
                block_barrier(); /* step - STAGES + 1 is complete before it is read; the step before it has been read */
            }
            if (step < steps)
                copy(step);
            else
                copy_async_commit();
        }
        block_barrier(); /* the other warps meet once more after their last step */
        return;
    }

#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
#endif
    /* The warps that multiply. A lane's number tells its place among LANES_M x LANES_N: lanes that differ in bit 0 read
     * the same elements of A, and lanes that differ in bit 1 the same of B, so that one access serves 16 lanes. */
    enum { TM = shape::TM, TN = shape::TN, SLICE_K = BK / shape::SLICES, UNROLL = shape::UNROLL };
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP % (MULTIPLIERS / WARP / shape::SLICES);
    const int slice = threadIdx.x / (MULTIPLIERS / shape::SLICES);
    const int lane_n = lane % 2 + lane / 8 % (shape::LANES_N / 2) * 2,
              lane_m = lane / 2 % 4 + lane / 16 % (shape::LANES_M / 4) * 4;
    const int row = warp % shape::WARPS_M * (BM / shape::WARPS_M) + lane_m * V;
    const int col = warp / shape::WARPS_M * (BN / shape::WARPS_N) + lane_n * V;
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
    block_barrier(); /* the tiles of step 0 are complete before they are read */
    load(0, a_first, b_first);
    const real *a_next = a_first + A_ROW, *b_next = b_first + B_ROW;
    for (int step = 0; step < steps; step++)
#pragma unroll 1
        for (int first = 0; first < SLICE_K; first += UNROLL) {
#pragma unroll
            for (int l = 0; l < UNROLL; l++) {
                if (l == UNROLL - 1 && first == SLICE_K - UNROLL) {
                    block_barrier(); /* this step's tiles have been read, and the next ones are complete */
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

    /* Adding zero moves the sums of a vector to neighbouring registers. If they were neighbours all the time, they
     * would collide with the elements of B in the banks of the register file. */
    const auto vector_of = [&](int i, int j) {
        vector sums;
#pragma unroll
        for (int v = 0; v < V; v++)
            sums.value[v] = sum[i][j + v] + real(0);
        return sums;
    };
    if constexpr (shape::SLICES == 2) {
        enum { THREADS = MULTIPLIERS / 2, VECTORS = TM * TN / V };
        vector *const halves = (vector *)shared + threadIdx.x % THREADS;
        multipliers_barrier(); /* all tiles have been read before the halves overwrite them */
        if (slice == 1) {
#pragma unroll
            for (int i = 0; i < VECTORS; i++)
                halves[i * THREADS] = vector_of(i * V / TN, i * V % TN);
        }
        multipliers_barrier(); /* the second halves are complete before they are added */
        if (slice == 1)
            return;
#pragma unroll
        for (int i = 0; i < VECTORS; i++) {
            const vector half = halves[i * THREADS];
#pragma unroll
            for (int v = 0; v < V; v++)
                sum[i * V / TN][i * V % TN + v] += half.value[v];
        }
    }
#pragma unroll
    for (int i = 0; i < TM; i++) {
        const int at = row + i / V * shape::LANES_M * V + i % V;
        if (at < rows) {
            real *const to = c + (first_row + at) * n + first_col + col;
#pragma unroll
            for (int j = 0; j < TN; j += V)
                vector16_store<WIDE>(to + j * shape::LANES_N, cols - col - j * shape::LANES_N, vector_of(i, j));
        }
    }
}

/* The time of a launch, in elements of C that the busiest multiprocessor computes. Small blocks take a tenth longer for
 * an element, because they copy more. */
template <typename real, bool SMALL> static double launch_time(const struct cell *cell, int multiprocessors)
{
    typedef block_shape<real, SMALL> shape;
    const int64_t blocks = ((cell->m + shape::BM - 1) / shape::BM) * ((cell->n + shape::BN - 1) / shape::BN);
    return (double)((blocks + multiprocessors - 1) / multiprocessors * shape::BM * shape::BN) * (SMALL ? 1.1 : 1);
}

template <typename real, bool SMALL> static int launch_shape(struct job *job)
{
    typedef block_shape<real, SMALL> shape;
    const struct cell *cell = job->cell;
    const dim3 grid((unsigned)((cell->n + shape::BN - 1) / shape::BN),
                    (unsigned)((cell->m + shape::BM - 1) / shape::BM));
    const auto kernel =
        cell->n % vector16<real>::COUNT == 0 ? matmul_async<real, SMALL, true> : matmul_async<real, SMALL, false>;
    CUDA_TRY(job, cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shape::shared_bytes));
    kernel<<<grid, MULTIPLIERS + COPIERS, shape::shared_bytes, (cudaStream_t)job->stream>>>(
        cell->m, cell->n, cell->k, (const real *)job->operand[0], (const real *)job->operand[1],
        (real *)job->operand[2]);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

template <typename real> static int launch(struct job *job)
{
    int device, multiprocessors;
    CUDA_TRY(job, cudaGetDevice(&device));
    CUDA_TRY(job, cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    const double large = launch_time<real, false>(job->cell, multiprocessors);
    const double small = launch_time<real, true>(job->cell, multiprocessors);
    return large <= small ? launch_shape<real, false>(job) : launch_shape<real, true>(job);
}

CUDA_ENTRY_BY_PRECISION(matmul_cuda_async)

#else

#include "async_accesses.h"

static const char *reject(const struct cell *cell)
{
    return cuda_rows_reason("m", cell->m, SMALL_M);
}

VARIANT(matmul, cuda_async) = {
    .summary = "tiles copied asynchronously, several steps ahead, by warps of their own",
    .summary_ru = "тайлы копируются асинхронно, на несколько шагов вперёд, отдельными варпами",
    .source = "tilelab",
    .precisions = ALL_PRECISIONS,
    .compute_capability = 80,
    .unit = UNIT_FMA,
    .typical_gflops = 50000,
    .reject = reject,
    .accesses = &async_accesses,
};

#endif
