/* Exchanges of rows, and U to the right of a block of columns.
 * SPDX-License-Identifier: MIT
 *
 * Matrices are column-major. A panel of `width` columns whose first row is `first` leaves its exchanges of rows as two
 * lists. Position first + i gets its content from row source[first + i]. Row first + i goes to position target[first +
 * i]. No other row moves. */
#ifndef TILELAB_LU_EXCHANGES_CUH
#define TILELAB_LU_EXCHANGES_CUH

#include "hopper.cuh"

struct exchanges {
    int *source, *target;
};

#ifdef HOPPER

/* Applies a panel's exchanges to COLS columns, ld apart, of which the first `count` exist; a warp calls this. Row first
 * + lane is not stored: the lane keeps it in top[], if lane < width. */
template <typename real, int COLS>
__device__ static inline void exchange_rows(real *column, int64_t ld, int count, int first, int width,
                                            const exchanges &moves, real (&top)[COLS])
{
    const int lane = threadIdx.x % WARP_SIZE;
    const bool mine = lane < width;
    const int from = mine ? moves.source[first + lane] : first;
    const int to = mine ? moves.target[first + lane] : first;
    real displaced[COLS];
#pragma unroll
    for (int i = 0; i < COLS; i++) {
        const bool there = mine && i < count;
        top[i] = there ? column[i * ld + from] : real(0);
        displaced[i] = there ? column[i * ld + first + lane] : real(0);
    }
    __syncwarp(); /* all lanes have read their rows before any row is overwritten */
#pragma unroll
    for (int i = 0; i < COLS; i++)
        if (to >= first + width && i < count)
            column[i * ld + to] = displaced[i];
}

/* Stores what exchange_rows() has left in top[]. */
template <typename real, int COLS>
__device__ static inline void store_rows(real *column, int64_t ld, int count, int first, int width,
                                         const real (&top)[COLS])
{
    const int lane = threadIdx.x % WARP_SIZE;
#pragma unroll
    for (int i = 0; i < COLS; i++)
        if (lane < width && i < count)
            column[i * ld + first + lane] = top[i];
}

#endif

/* --- Exchanges right of a block, and U there --- */

struct columns {
    int first, count;
};

enum { SOLVE_THREADS = 256, SOLVE_COLS = 4, SOLVE_STRIPE = SOLVE_THREADS / WARP_SIZE * SOLVE_COLS };

template <typename real> struct solve_task {
    real *a;
    int64_t ld;
    int first, width, panel; /* the block's first row and column, its width, the width of its panels */
    exchanges moves;
    columns right;
};

template <typename real, int WIDTH> constexpr int solve_shared_bytes()
{
    return WIDTH * WARP_SIZE * (int)sizeof(real);
}

#ifdef HOPPER

/* Copies WARP_SIZE columns of the block to shared memory: `rows` rows from the diagonal on. */
template <typename real> __device__ static inline void load_slab(real *slab, const real *a, int64_t ld, int rows)
{
#pragma unroll 8
    for (int i = threadIdx.x; i < rows * WARP_SIZE; i += SOLVE_THREADS)
        slab[i] = a[i / rows * ld + i % rows];
}

/* Solves L x = x for COLS columns of WIDTH rows. A lane holds row lane + WARP_SIZE b in x[][b]. */
template <typename real, int WIDTH, int COLS>
__device__ static inline void solve_columns(const real *a, int64_t ld, real *slab, real (&x)[COLS][WIDTH / WARP_SIZE])
{
    const int lane = threadIdx.x % WARP_SIZE;
#pragma unroll
    for (int b = 0; b < WIDTH / WARP_SIZE; b++) {
        const int rows = WIDTH - b * WARP_SIZE;
        __syncthreads(); /* everyone has read the last slab before the next one overwrites it */
        load_slab(slab, a + b * WARP_SIZE * (ld + 1), ld, rows);
        __syncthreads(); /* the slab is complete before anyone reads it */
#pragma unroll 2
        for (int k = 0; k < WARP_SIZE; k++) {
            const real *l = slab + k * rows + lane;
            const real within = lane > k ? l[0] : real(0);
#pragma unroll
            for (int i = 0; i < COLS; i++) {
                const real known = __shfl_sync(WHOLE_WARP, x[i][b], k);
                x[i][b] -= within * known;
#pragma unroll
                for (int below = b + 1; below < WIDTH / WARP_SIZE; below++)
                    x[i][below] -= l[(below - b) * WARP_SIZE] * known;
            }
        }
    }
}

#endif

/* A warp takes SOLVE_COLS columns; the columns of a thread block form a stripe. */
template <typename real, int WIDTH>
__global__ void __launch_bounds__(SOLVE_THREADS) lu_pivot_solve(solve_task<real> task)
{
#ifdef HOPPER
    const int64_t ld = task.ld;
    const int lane = threadIdx.x % WARP_SIZE, warp = threadIdx.x / WARP_SIZE;
    const columns &range = task.right;
    const int at = blockIdx.x * SOLVE_STRIPE + warp * SOLVE_COLS;
    const int count = min(max(range.count - at, 0), (int)SOLVE_COLS);
    real *const column = task.a + (count ? range.first + at : range.first) * ld;
    for (int p = 0; p < task.width; p += task.panel) {
        const int width = min(task.panel, task.width - p);
        real top[SOLVE_COLS];
        exchange_rows(column, ld, count, task.first + p, width, task.moves, top);
        store_rows(column, ld, count, task.first + p, width, top);
        __syncwarp(); /* the rows are stored before the next panel's exchanges read them */
    }
    real x[SOLVE_COLS][WIDTH / WARP_SIZE];
#pragma unroll
    for (int i = 0; i < SOLVE_COLS; i++)
#pragma unroll
        for (int b = 0; b < WIDTH / WARP_SIZE; b++)
            x[i][b] = i < count ? column[i * ld + task.first + b * WARP_SIZE + lane] : real(0);
    solve_columns<real, WIDTH>(task.a + task.first * (ld + 1), ld, (real *)shared_memory(), x);
#pragma unroll
    for (int i = 0; i < SOLVE_COLS; i++)
#pragma unroll
        for (int b = 0; b < WIDTH / WARP_SIZE; b++)
            if (i < count)
                column[i * ld + task.first + b * WARP_SIZE + lane] = x[i][b];
#endif
}

#endif
