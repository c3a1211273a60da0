/* C = A A^T as in matmul/cuda-async, but only for blocks of C on and below the diagonal.
 * A (n x k) and C (n x n) are row-major; any size. Compute capability 8.0.
 * A block has 4 warps that multiply and 4 that copy. It owns 128 x 128 elements of C, 8 x 16 a thread, or 64 x 64 if
 * large blocks would leave multiprocessors idle. A block below the diagonal also stores the mirror image of its sums.
 * Both triangles are equal bit for bit, because a product does not depend on the order of its two factors.
 * Source: tilelab.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifndef __CUDACC__

VARIANT(aat, cuda_async) = {
    .summary = "matmul/cuda-async for the blocks on and below the diagonal, the rest mirrored",
    .source = "tilelab",
    .precisions = BIT(F32),
    .compute_capability = 80,
    .unit = UNIT_FMA,
    .symmetry = SYMMETRY_MIRRORED,
    .halved = true,
    .typical_gflops = 90000,
};

#else

#include "common/copy_async.cuh"
#include "common/vector.cuh"

typedef float real;
typedef vector16<real> vector;
enum { WARP = 32, MULTIPLIERS = 128, COPIERS = 128, V = vector::COUNT };

/* Blocks that a multiprocessor shall hold. Only 9.0a can give the copying warps' registers to the multiplying ones. */
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
enum { BLOCKS = 2 };
#else
enum { BLOCKS = 1 };
#endif

/* How a block divides its work. It owns SIDE x SIDE elements of C, and walks along k in steps of K. */
template <bool SMALL> struct block_shape {
    enum {
        SIDE = SMALL ? 64 : 128,
        K = 32,
        SLICES = SMALL ? 2 : 1, /* groups of warps, which share the products of a step */
        WARPS_M = 2,
        WARPS_N = MULTIPLIERS / WARP / SLICES / WARPS_M,
        LANES_N = SMALL ? 8 : 4,
        LANES_M = WARP / LANES_N,
        ROWS = SIDE / WARPS_M / LANES_M, /* of a thread */
        COLS = SIDE / WARPS_N / LANES_N,
        ROW = SIDE + V, /* from one k to the next in a tile, which lies transposed; copies then avoid conflicts */
        TILE = K * ROW,
        STAGES = SMALL ? 4 : 2, /* of two tiles each */
        UNROLL = SMALL ? 4 : 2  /* elements of k in the body of the inner loop; longer bodies are slower */
    };
    static constexpr int shared_bytes = STAGES * 2 * TILE * (int)sizeof(real);
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

/* The row and the column of a block among the blocks on and below the diagonal, which are counted row by row. */
__device__ static inline void locate(unsigned block, unsigned *block_row, unsigned *block_col)
{
    unsigned row = (unsigned)((sqrt(8.0 * block + 1) - 1) / 2);
    row -= row * (uint64_t)(row + 1) / 2 > block;
    row += (row + 1) * (uint64_t)(row + 2) / 2 <= block;
    *block_row = row;
    *block_col = block - (unsigned)(row * (uint64_t)(row + 1) / 2);
}

/* WIDE: all rows of C start at multiples of 16 bytes. Rows of A may start anywhere: elements of A are copied one by
 * one, since a copy cannot transpose. */
template <bool SMALL, bool WIDE>
__global__ void __launch_bounds__(MULTIPLIERS + COPIERS, BLOCKS)
    aat_async(int64_t n, int64_t k, const real *__restrict__ a, real *__restrict__ c)
{
    typedef block_shape<SMALL> shape;
    enum { SIDE = shape::SIDE, K = shape::K, ROW = shape::ROW };
    extern __shared__ uint4 shared_memory[];
    real *const shared = (real *)shared_memory;
    unsigned block_row, block_col;
    locate(blockIdx.x, &block_row, &block_col);
    const int64_t first_row = (int64_t)block_row * SIDE, first_col = (int64_t)block_col * SIDE;
    const int rows = (int)min((int64_t)SIDE, n - first_row), cols = (int)min((int64_t)SIDE, n - first_col);
    const int steps = (int)((k + K - 1) / K);

    if (threadIdx.x >= MULTIPLIERS) {
        /* The warps that copy. Outside of C, tiles keep what they had, since the sums are not stored. 8 x 16 threads
         * copy as many elements of A at a time, neighbours along k first. */
        enum { THREADS_K = 8, THREADS_M = COPIERS / THREADS_K };
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;"); /* leaves registers to the warps that multiply */
#endif
        const int thread = threadIdx.x - MULTIPLIERS, from_l = thread % THREADS_K, from_row = thread / THREADS_K;
        const int part = (int)((k - 1) % K + 1); /* the length of step 0, so that all other steps have K */
        const auto copy_tile = [&](real *to, int64_t first_row, int rows, int64_t first) {
            const real *from = a + (first_row + from_row) * k + first + from_l;
            to += from_l * ROW + from_row;
#pragma unroll 2
            for (int row = 0; row < SIDE; row += THREADS_M) {
                if (row + from_row < rows) {
#pragma unroll
                    for (int l = 0; l < K; l += THREADS_K)
                        copy_async<sizeof(real)>(to + l * ROW, from + l, sizeof(real));
                }
                from += THREADS_M * k;
                to += THREADS_M;
            }
        };
        const auto copy = [&](int step) {
            real *const stage = shared + step % shape::STAGES * 2 * shape::TILE;
            const int64_t first = step == 0 ? 0 : part + (int64_t)(step - 1) * K;
            copy_tile(stage, first_row, rows, first);
            copy_tile(stage + shape::TILE, first_col, cols, first);
            copy_async_commit();
        };
        /* Step 0, if it is shorter than K: the rest of its tiles is zero. */
        const auto copy_part = [&](real *to, int64_t first_row, int rows) {
#pragma unroll 1
            for (int i = thread; i < rows * K; i += COPIERS)
                copy_async<sizeof(real)>(to + i % K * ROW + i / K, a + (first_row + i / K) * k + min(i % K, part - 1),
                                         i % K < part ? sizeof(real) : 0);
        };
        if (part == K) {
            copy(0);
        } else {
            copy_part(shared, first_row, rows);
            copy_part(shared + shape::TILE, first_col, cols);
            copy_async_commit();
        }
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
    asm volatile("setmaxnreg.inc.sync.aligned.u32 216;");
#endif
    /* The warps that multiply. A lane's number tells its place among LANES_M x LANES_N: lanes that differ in bit 0 read
     * the same elements of the left tile, and lanes that differ in bit 1 the same of the right, so that one access
     * serves 16 lanes. */
    enum { ROWS = shape::ROWS, COLS = shape::COLS, SLICE_K = K / shape::SLICES, UNROLL = shape::UNROLL };
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP % (MULTIPLIERS / WARP / shape::SLICES);
    const int slice = threadIdx.x / (MULTIPLIERS / shape::SLICES);
    const int lane_n = lane % 2 + lane / 8 % (shape::LANES_N / 2) * 2,
              lane_m = lane / 2 % 4 + lane / 16 % (shape::LANES_M / 4) * 4;
    const int row = warp % shape::WARPS_M * (SIDE / shape::WARPS_M) + lane_m * V;
    const int col = warp / shape::WARPS_M * (SIDE / shape::WARPS_N) + lane_n * V;
    const real *const left_first = shared + slice * SLICE_K * ROW + row;
    const real *const right_first = shared + shape::TILE + slice * SLICE_K * ROW + col;
    real sum[ROWS][COLS] = {};
    vector left[2][ROWS / V], right[2][COLS / V]; /* elements of one l, and of the next */
    const auto load = [&](int to, const real *left_from, const real *right_from) {
#pragma unroll
        for (int j = 0; j < COLS / V; j++)
            right[to][j] = *(const vector *)(right_from + j * shape::LANES_N * V);
#pragma unroll
        for (int i = 0; i < ROWS / V; i++)
            left[to][i] = *(const vector *)(left_from + i * shape::LANES_M * V);
    };
    block_barrier(); /* the tiles of step 0 are complete before they are read */
    load(0, left_first, right_first);
    const real *left_next = left_first + ROW, *right_next = right_first + ROW;
    for (int step = 0; step < steps; step++)
#pragma unroll 1
        for (int first = 0; first < SLICE_K; first += UNROLL) {
#pragma unroll
            for (int l = 0; l < UNROLL; l++) {
                if (l == UNROLL - 1 && first == SLICE_K - UNROLL) {
                    block_barrier(); /* this step's tiles have been read, and the next ones are complete */
                    const int stage = (step + 1) % shape::STAGES * 2 * shape::TILE;
                    left_next = left_first + stage - l * ROW;
                    right_next = right_first + stage - l * ROW;
                }
                load((l + 1) % 2, left_next + l * ROW, right_next + l * ROW);
#pragma unroll
                for (int i = 0; i < ROWS; i++)
#pragma unroll
                    for (int j = 0; j < COLS; j++) {
                        const int to = i % 2 ? COLS - 1 - j : j; /* there and back, so that registers are used again */
                        sum[i][to] += left[l % 2][i / V].value[i % V] * right[l % 2][to / V].value[to % V];
                    }
            }
            left_next += UNROLL * ROW;
            right_next += UNROLL * ROW;
        }

    /* Adding zero moves the sums of a vector to neighbouring registers. If they were neighbours all the time, they
     * would collide with the elements of the right tile in the banks of the register file. */
    const auto along_row = [&](int i, int j) {
        vector sums;
#pragma unroll
        for (int v = 0; v < V; v++)
            sums.value[v] = sum[i][j + v] + real(0);
        return sums;
    };
    const auto along_col = [&](int i, int j) {
        vector sums;
#pragma unroll
        for (int v = 0; v < V; v++)
            sums.value[v] = sum[i + v][j] + real(0);
        return sums;
    };
    if constexpr (shape::SLICES == 2) {
        enum { THREADS = MULTIPLIERS / 2, VECTORS = ROWS * COLS / V };
        vector *const halves = (vector *)shared + threadIdx.x % THREADS;
        multipliers_barrier(); /* all tiles have been read before the halves overwrite them */
        if (slice == 1) {
#pragma unroll
            for (int i = 0; i < VECTORS; i++)
                halves[i * THREADS] = along_row(i * V / COLS, i * V % COLS);
        }
        multipliers_barrier(); /* the second halves are complete before they are added */
        if (slice == 1)
            return;
#pragma unroll
        for (int i = 0; i < VECTORS; i++) {
            const vector half = halves[i * THREADS];
#pragma unroll
            for (int v = 0; v < V; v++)
                sum[i * V / COLS][i * V % COLS + v] += half.value[v];
        }
    }
#pragma unroll
    for (int i = 0; i < ROWS; i++) {
        const int at = row + i / V * shape::LANES_M * V + i % V;
        if (at < rows) {
            real *const to = c + (first_row + at) * n + first_col + col;
#pragma unroll
            for (int j = 0; j < COLS; j += V)
                vector16_store<WIDE>(to + j * shape::LANES_N, cols - col - j * shape::LANES_N, along_row(i, j));
        }
    }
    if (block_row == block_col)
        return;
#pragma unroll
    for (int j = 0; j < COLS; j++) {
        const int at = col + j / V * shape::LANES_N * V + j % V;
        if (at < cols) {
            real *const to = c + (first_col + at) * n + first_row + row;
#pragma unroll
            for (int i = 0; i < ROWS; i += V)
                vector16_store<WIDE>(to + i * shape::LANES_M, rows - row - i * shape::LANES_M, along_col(i, j));
        }
    }
}

/* The number of blocks on and below the diagonal. */
template <bool SMALL> static int64_t blocks(int64_t n)
{
    const int64_t side = (n + block_shape<SMALL>::SIDE - 1) / block_shape<SMALL>::SIDE;
    return side * (side + 1) / 2;
}

/* The time of a launch, in elements of C that the busiest multiprocessor computes. Small blocks take a tenth longer for
 * an element, because they copy more. */
template <bool SMALL> static double launch_time(int64_t n, int multiprocessors)
{
    enum { AREA = block_shape<SMALL>::SIDE * block_shape<SMALL>::SIDE };
    return (double)((blocks<SMALL>(n) + multiprocessors - 1) / multiprocessors * AREA) * (SMALL ? 1.1 : 1);
}

template <bool SMALL> static int launch_shape(struct job *job)
{
    typedef block_shape<SMALL> shape;
    const int64_t n = job->cell->n, k = job->cell->k;
    const auto kernel = n % V == 0 ? aat_async<SMALL, true> : aat_async<SMALL, false>;
    CUDA_TRY(job, cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shape::shared_bytes));
    kernel<<<(unsigned)blocks<SMALL>(n), MULTIPLIERS + COPIERS, shape::shared_bytes, (cudaStream_t)job->stream>>>(
        n, k, (const real *)job->operand[0], (real *)job->operand[1]);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

CUDA_ENTRY int aat_cuda_async_launch(struct job *job)
{
    int device, multiprocessors;
    CUDA_TRY(job, cudaGetDevice(&device));
    CUDA_TRY(job, cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    const double large = launch_time<false>(job->cell->n, multiprocessors);
    const double small = launch_time<true>(job->cell->n, multiprocessors);
    return large <= small ? launch_shape<false>(job) : launch_shape<true>(job);
}

#endif
