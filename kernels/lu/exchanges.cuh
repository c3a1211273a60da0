/* Exchanges of rows, and U to the right of a block of columns.
 * SPDX-License-Identifier: MIT
 *
 * Matrices are column-major. A panel of `width` columns whose first row is `first` leaves its exchanges of rows as two
 * lists. Position first + i gets its content from row source[first + i]. Row first + i goes to position target[first +
 * i]. No other row moves. The lists of a block compose those of its panels: a row whose target is in the block's own
 * square moves by the list of sources alone. */
#ifndef TILELAB_LU_EXCHANGES_CUH
#define TILELAB_LU_EXCHANGES_CUH

#include "hopper.cuh"
#include "tensor_product.cuh"

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
enum { BLOCK_MOST = 256 }; /* columns of a block */

template <typename real> struct solve_task {
    real *a;
    int64_t ld;
    int first, width; /* the block's first row and column, and its width */
    exchanges moves;  /* of whole blocks */
    int moved;        /* blocks whose rows are exchanged before, from this one on */
    columns right;
};

/* The exchanges of a block from those of its panels, which have `panel` columns each. */
struct compose_task {
    exchanges panels, block;
    int n, first, width, panel;
};

static inline int compose_shared_bytes(int64_t n)
{
    return (int)n * (int)sizeof(uint16_t);
}

enum { COMPOSE_THREADS = 512 };

/* Composes the exchanges of panels, so that all rows of a column can move at once. A thread block does this. */
static __global__ void __launch_bounds__(COMPOSE_THREADS) lu_pivot_compose(compose_task task)
{
#ifdef HOPPER
    uint16_t *const content = (uint16_t *)shared_memory();
    __shared__ int source[BLOCK_MOST], target[BLOCK_MOST];
    const int thread = threadIdx.x, end = task.first + task.width;
    for (int i = task.first + thread; i < task.n; i += COMPOSE_THREADS)
        content[i] = (uint16_t)i;
    if (thread < task.width) {
        source[thread] = task.panels.source[task.first + thread];
        target[thread] = task.panels.target[task.first + thread];
        task.block.target[task.first + thread] = task.first;
    }
    __syncthreads(); /* the contents are set, and the lists are complete */
    for (int at = 0; thread < WARP_SIZE && at < task.width; at += task.panel) {
        const int after = min(at + task.panel, task.width);
        const bool mine = at + thread < after;
        const int to = mine ? target[at + thread] : 0;
        const uint16_t chosen = mine ? content[source[at + thread]] : 0;
        const uint16_t displaced = mine ? content[task.first + at + thread] : 0;
        __syncwarp(); /* all lanes have read their rows before any row is overwritten */
        if (mine)
            content[task.first + at + thread] = chosen;
        if (mine && to >= task.first + after)
            content[to] = displaced;
        __syncwarp(); /* the panel is applied before the next one is */
    }
    __syncthreads(); /* all exchanges are applied */
    if (thread < task.width) {
        task.block.source[task.first + thread] = content[task.first + thread];
        if (target[thread] >= end)
            task.block.target[content[target[thread]]] = target[thread];
    }
#endif
}

/* Elements from one column to the next in shared memory. With four extra ones, the lanes that the hardware serves
 * together read different banks. */
static __host__ __device__ inline int solve_row(int width)
{
    return width + 4;
}

template <typename real> static int solve_shared_bytes(int width)
{
    return (SOLVE_STRIPE * solve_row(width) + WARP_SIZE * WARP_SIZE) * (int)sizeof(real);
}

#ifdef HOPPER

/* Applies a block's exchanges to SOLVE_COLS columns, of which the first `count` exist; a warp calls this. */
template <typename real>
__device__ static inline void exchange_block(real *column, int64_t ld, int count, int first, int width,
                                             const exchanges &moves)
{
    enum { ROWS = BLOCK_MOST / WARP_SIZE, AT_ONCE = SOLVE_COLS / 2 };
    const int lane = threadIdx.x % WARP_SIZE;
    int from[ROWS], to[ROWS];
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const int at = r * WARP_SIZE + lane;
        from[r] = at < width ? moves.source[first + at] : 0;
        to[r] = at < width ? moves.target[first + at] : 0;
    }
#pragma unroll
    for (int begin = 0; begin < SOLVE_COLS; begin += AT_ONCE) {
        real top[AT_ONCE][ROWS], displaced[AT_ONCE][ROWS];
#pragma unroll
        for (int i = 0; i < AT_ONCE; i++)
#pragma unroll
            for (int r = 0; r < ROWS; r++) {
                const real *const at = column + (begin + i) * ld;
                const bool there = r * WARP_SIZE + lane < width && begin + i < count;
                top[i][r] = there ? at[from[r]] : real(0);
                displaced[i][r] = there ? at[first + r * WARP_SIZE + lane] : real(0);
            }
        __syncwarp(); /* all lanes have read their rows before any row is overwritten */
#pragma unroll
        for (int i = 0; i < AT_ONCE; i++)
#pragma unroll
            for (int r = 0; r < ROWS; r++) {
                real *const at = column + (begin + i) * ld;
                const bool there = r * WARP_SIZE + lane < width && begin + i < count;
                if (there)
                    at[first + r * WARP_SIZE + lane] = top[i][r];
                if (there && to[r] >= first + width)
                    at[to[r]] = displaced[i][r];
            }
        __syncwarp(); /* the rows are stored before other lanes read them */
    }
}

/* Subtracts L x from 32 rows of the stripe, from row `rows` on; x are the rows before, which are known. A warp owns
 * 16 columns of 8 rows. `l` is the block's first element. */
template <typename real>
__device__ static inline void solve_subtract(const real *l, int64_t ld, real *x, int row, int rows)
{
    enum { OWN_COLS = 16, OWN_ROWS = 8 };
    const int warp = threadIdx.x / WARP_SIZE;
    const int col = warp % (SOLVE_STRIPE / OWN_COLS) * OWN_COLS,
              own = rows + warp / (SOLVE_STRIPE / OWN_COLS) * OWN_ROWS;
    real total[1][1][4] = {};
    for (int k = 0; k < rows; k += WARP_SIZE) {
        real sum[1][1][4] = {};
        warp_multiply<1, 1>(sum, x + col * row + k, row, l + k * ld + own, (int)ld, WARP_SIZE);
#pragma unroll
        for (int i = 0; i < 4; i++)
            total[0][0][i] += sum[0][0][i];
    }
    warp_each(total, [&](int i, int j, const real *pair) {
        x[(col + i) * row + own + j] -= pair[0];
        x[(col + i) * row + own + j + 1] -= pair[1];
    });
}

/* Solves L x = x for 32 rows of COLS columns, which are `row` elements apart; a warp calls this. */
template <typename real, int COLS>
__device__ static inline void solve_square(const real *square, real *column, int row, real (&x)[COLS])
{
    const int lane = threadIdx.x % WARP_SIZE;
#pragma unroll
    for (int i = 0; i < COLS; i++)
        x[i] = column[i * row + lane];
#pragma unroll 8
    for (int k = 0; k < WARP_SIZE; k++) {
        const real l = lane > k ? square[k * WARP_SIZE + lane] : real(0);
#pragma unroll
        for (int i = 0; i < COLS; i++)
            x[i] -= l * __shfl_sync(WHOLE_WARP, x[i], k);
    }
#pragma unroll
    for (int i = 0; i < COLS; i++)
        column[i * row + lane] = x[i];
}

#endif

/* A warp takes SOLVE_COLS columns; the columns of a thread block form a stripe. Rows are found 32 at a time: tensor
 * cores subtract what follows from the rows before. */
template <typename real>
__global__ void __launch_bounds__(SOLVE_THREADS) lu_pivot_solve(const __grid_constant__ solve_task<real> task)
{
#ifdef HOPPER
    const int64_t ld = task.ld;
    const int lane = threadIdx.x % WARP_SIZE, warp = threadIdx.x / WARP_SIZE, row = solve_row(task.width);
    const columns &range = task.right;
    const int at = blockIdx.x * SOLVE_STRIPE + warp * SOLVE_COLS;
    const int count = min(max(range.count - at, 0), (int)SOLVE_COLS);
    real *const column = task.a + (count ? range.first + at : range.first) * ld;
    for (int block = 0; block < task.moved; block++)
        exchange_block(column, ld, count, task.first + block * task.width, task.width, task.moves);
    real *const x = (real *)shared_memory(), *const own = x + warp * SOLVE_COLS * row;
    real *const square = x + SOLVE_STRIPE * row;
    const real *const l = task.a + task.first * (ld + 1);
#pragma unroll
    for (int i = 0; i < SOLVE_COLS; i++)
        for (int k = lane; k < task.width; k += WARP_SIZE)
            own[i * row + k] = i < count ? column[i * ld + task.first + k] : real(0);
    for (int rows = 0; rows < task.width; rows += WARP_SIZE) {
        __syncthreads(); /* the rows before are known, and the last square has been used */
        for (int i = threadIdx.x; i < WARP_SIZE * WARP_SIZE; i += SOLVE_THREADS)
            square[i] = l[(rows + i / WARP_SIZE) * ld + rows + i % WARP_SIZE];
        solve_subtract(l, ld, x, row, rows);
        __syncthreads(); /* the differences and the square are complete */
        real known[SOLVE_COLS];
        solve_square(square, own + rows, row, known);
#pragma unroll
        for (int i = 0; i < SOLVE_COLS; i++)
            if (i < count)
                column[i * ld + task.first + rows + lane] = known[i];
    }
#endif
}

#endif
