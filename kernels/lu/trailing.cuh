/* The trailing update C -= L U. C is what lies to the right of a block of columns and below it.
 * SPDX-License-Identifier: MIT
 *
 * Matrices are column-major. The code works on their transposes, which are row-major: C' (m x n) -= U' (m x k) L' (k x
 * n), where C has m columns and n rows; k is a multiple of K, and m and n are any. A thread block owns M x N elements
 * of C' and walks along k in steps of K. It copies the tiles of U' and L' asynchronously, up to two steps ahead. f64
 * uses the tensor cores, and f32 uses register tiles. */
#ifndef TILELAB_LU_TRAILING_CUH
#define TILELAB_LU_TRAILING_CUH

#include "hopper.cuh"
#include "common/copy_async.cuh"

template <typename real> struct trailing_task {
    const real *u, *l; /* U' and L' */
    real *c;
    int64_t ld;
    int m, n, k;
};

template <typename real, int M, int N> struct trailing_tile {
    enum {
        K = 16,
        STAGES = 3,
        /* Elements from one row of a tile to the next. The lanes of a warp read different rows of U', and different
         * rows and columns of L'. With these distances they read different banks. */
        U_ROW = K + 4,
        L_ROW = N + 4,
        L_TILE = M * U_ROW, /* offset of the tile of L' */
        STAGE_SIZE = L_TILE + K * L_ROW,
    };
    static constexpr int shared_bytes = STAGES * STAGE_SIZE * (int)sizeof(real);
};

/* The number of thread blocks that a multiprocessor shall hold. */
template <typename real, int M> constexpr int trailing_blocks()
{
    return M == 128 ? 8 / (int)sizeof(real) : sizeof(real) == 8 ? 3 : 4;
}

#ifdef HOPPER

/* The sums of a thread. Each of the WARPS_M x WARPS_N warps owns a rectangle of the M x N sums. */
template <typename real, int M, int N, int WARPS_M, int WARPS_N> struct trailing_sums;

template <int M, int N, int WARPS_M, int WARPS_N> struct trailing_sums<double, M, N, WARPS_M, WARPS_N> {
    typedef trailing_tile<double, M, N> tile;
    enum {
        RUN = 2, /* neighbouring sums along n, which one thread owns */
        WARP_M = M / WARPS_M,
        WARP_N = N / WARPS_N,
        FRAGMENTS_M = WARP_M / 16,
        FRAGMENTS_N = WARP_N / 8
    };
    double sum[FRAGMENTS_M][FRAGMENTS_N][4];

    /* Calls visit(i, j, values) for each run of sums; values[0] belongs to row i and column j of the tile. */
    template <typename visitor> __device__ void each(const visitor &visit)
    {
        const int lane = threadIdx.x % WARP_SIZE, warp = threadIdx.x / WARP_SIZE;
        const int i0 = warp % WARPS_M * WARP_M + lane / 4;
        const int j0 = warp / WARPS_M * WARP_N + lane % 4 * 2;
#pragma unroll
        for (int i = 0; i < FRAGMENTS_M; i++)
#pragma unroll
            for (int half = 0; half < 2; half++)
#pragma unroll
                for (int j = 0; j < FRAGMENTS_N; j++)
                    visit(i0 + i * 16 + half * 8, j0 + j * 8, &sum[i][j][half * 2]);
    }

    __device__ void subtract_product(const double *u, const double *l)
    {
        const int lane = threadIdx.x % WARP_SIZE, warp = threadIdx.x / WARP_SIZE;
        u += (warp % WARPS_M * WARP_M + lane / 4) * tile::U_ROW + lane % 4;
        l += lane % 4 * tile::L_ROW + warp / WARPS_M * WARP_N + lane / 4;
        double right[FRAGMENTS_N][4];
#pragma unroll
        for (int j = 0; j < FRAGMENTS_N; j++)
#pragma unroll
            for (int h = 0; h < 4; h++)
                right[j][h] = l[h * 4 * tile::L_ROW + j * 8];
#pragma unroll
        for (int i = 0; i < FRAGMENTS_M; i++) {
            double left[8];
#pragma unroll
            for (int h = 0; h < 8; h++)
                left[h] = -u[(i * 16 + h % 2 * 8) * tile::U_ROW + h / 2 * 4];
#pragma unroll
            for (int j = 0; j < FRAGMENTS_N; j++)
                multiply_add(sum[i][j], left, right[j]);
        }
    }
};

template <int M, int N, int WARPS_M, int WARPS_N> struct trailing_sums<float, M, N, WARPS_M, WARPS_N> {
    typedef trailing_tile<float, M, N> tile;
    enum {
        RUN = 4,
        THREADS_M = 4,
        THREADS_N = WARP_SIZE / THREADS_M,
        WARP_M = M / WARPS_M,
        WARP_N = N / WARPS_N,
        ROWS = WARP_M / THREADS_M,        /* rows of a thread, THREADS_M apart */
        RUNS = WARP_N / (THREADS_N * RUN) /* runs of a thread in a row, THREADS_N * RUN apart */
    };
    float sum[ROWS][RUNS][RUN];

    template <typename visitor> __device__ void each(const visitor &visit)
    {
        const int lane = threadIdx.x % WARP_SIZE, warp = threadIdx.x / WARP_SIZE;
        const int i0 = warp % WARPS_M * WARP_M + lane / THREADS_N;
        const int j0 = warp / WARPS_M * WARP_N + lane % THREADS_N * RUN;
#pragma unroll
        for (int i = 0; i < ROWS; i++)
#pragma unroll
            for (int j = 0; j < RUNS; j++)
                visit(i0 + i * THREADS_M, j0 + j * THREADS_N * RUN, sum[i][j]);
    }

    __device__ void subtract_product(const float *u, const float *l)
    {
        typedef vector16<float> four;
        const int lane = threadIdx.x % WARP_SIZE, warp = threadIdx.x / WARP_SIZE;
        u += (warp % WARPS_M * WARP_M + lane / THREADS_N) * tile::U_ROW;
        l += warp / WARPS_M * WARP_N + lane % THREADS_N * RUN;
#pragma unroll
        for (int k = 0; k < tile::K; k += 4) {
            four left[ROWS];
#pragma unroll
            for (int i = 0; i < ROWS; i++)
                left[i] = *(const four *)(u + i * THREADS_M * tile::U_ROW + k);
#pragma unroll
            for (int h = 0; h < 4; h++)
#pragma unroll
                for (int j = 0; j < RUNS; j++) {
                    const four right = *(const four *)(l + (k + h) * tile::L_ROW + j * THREADS_N * RUN);
#pragma unroll
                    for (int i = 0; i < ROWS; i++)
#pragma unroll
                        for (int of = 0; of < RUN; of++)
                            sum[i][j][of] -= left[i].value[h] * right.value[of];
                }
        }
    }
};

/* Starts the copy of a tile of ROWS x COLS elements, of which rows x cols exist; the others become zeros. WIDE copies
 * 16 bytes at a time: all rows start at multiples of 16 bytes, and `cols` is a multiple too. */
template <typename real, int ROWS, int COLS, int ROW, int THREADS, bool WIDE>
__device__ static inline void copy_tile(real *to, const real *from, int ld, int rows, int cols)
{
    enum { AT_ONCE = WIDE ? vector16<real>::COUNT : 1, BYTES = AT_ONCE * sizeof(real), A_ROW = COLS / AT_ONCE };
    static_assert(ROWS * A_ROW % THREADS == 0, "all threads copy as much");
#pragma unroll 4
    for (int part = 0; part < ROWS * A_ROW; part += THREADS) {
        const int i = (part + (int)threadIdx.x) / A_ROW;
        const int j = (part + (int)threadIdx.x) % A_ROW * AT_ONCE;
        const bool there = i < rows && j < cols;
        copy_async<BYTES>(to + i * ROW + j, there ? from + i * ld + j : from, there ? BYTES : 0);
    }
}

/* Load a run of sums from C', or store it, as far as `cols` columns exist. */
template <bool WIDE, int RUN, typename real>
__device__ static inline void load_run(const real *from, int cols, real *run)
{
    if constexpr (WIDE) {
        typedef vector16<real> vector;
        if (cols > 0)
            *(vector *)run = *(const vector *)from;
    } else {
#pragma unroll
        for (int j = 0; j < RUN; j++)
            if (j < cols)
                run[j] = from[j];
    }
}

template <bool WIDE, int RUN, typename real>
__device__ static inline void store_run(real *to, int cols, const real *run)
{
    load_run<WIDE, RUN>(run, cols, to);
}

#endif

template <typename real, int M, int N, int WARPS_M, int WARPS_N, bool WIDE>
__global__ void __launch_bounds__(WARPS_M *WARPS_N *WARP_SIZE, (trailing_blocks<real, M>()))
    lu_pivot_update(trailing_task<real> task)
{
#ifdef HOPPER
    typedef trailing_tile<real, M, N> tile;
    typedef trailing_sums<real, M, N, WARPS_M, WARPS_N> trailing_sums;
    enum { THREADS = WARPS_M * WARPS_N * WARP_SIZE, K = tile::K, STAGES = tile::STAGES };
    int64_t ld = task.ld;
    const int first_m = blockIdx.y * M, first_n = blockIdx.x * N;
    const int rows = task.m - first_m, cols = task.n - first_n, steps = task.k / K;
    const real *const u = task.u + first_m * ld, *const l = task.l + first_n;
    real *const c = task.c + first_m * ld + first_n;
    real *const shared = (real *)shared_memory();
    const auto fetch = [&](int step) {
        real *const to = shared + step % STAGES * tile::STAGE_SIZE;
        copy_tile<real, M, K, tile::U_ROW, THREADS, WIDE>(to, u + step * K, (int)ld, rows, K);
        copy_tile<real, K, N, tile::L_ROW, THREADS, WIDE>(to + tile::L_TILE, l + step * K * ld, (int)ld, K, cols);
    };
    for (int step = 0; step < STAGES - 1; step++) {
        if (step < steps)
            fetch(step);
        copy_async_commit();
    }
    trailing_sums sums;
    sums.each([&](int i, int j, real *run) {
        for (int of = 0; of < trailing_sums::RUN; of++)
            run[of] = 0;
        load_run<WIDE, trailing_sums::RUN>(c + i * ld + j, i < rows ? cols - j : 0, run);
    });
    for (int step = 0; step < steps; step++) {
        copy_async_wait<STAGES - 2>();
        __syncthreads(); /* the step's tiles are complete before anyone reads them, and the last ones are read */
        if (step + STAGES - 1 < steps)
            fetch(step + STAGES - 1);
        copy_async_commit();
        const real *const from = shared + step % STAGES * tile::STAGE_SIZE;
        sums.subtract_product(from, from + tile::L_TILE);
    }
    asm volatile("" : "+l"(ld)); /* makes the compiler compute the addresses anew, rather than keep all in registers */
    sums.each([&](int i, int j, real *run) {
        store_run<WIDE, trailing_sums::RUN>(c + i * ld + j, i < rows ? cols - j : 0, run);
    });
#endif
}

#endif
