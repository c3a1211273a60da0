/* The factorisation of a square tile in shared memory by one thread block, and the solution for tiles beside it.
 * SPDX-License-Identifier: MIT
 *
 * The tile is cut into squares of SQUARE columns. One warp factors the square on the diagonal in registers and inverts
 * its L and U. All warps then multiply by these inverses and update what is left of the tile. */
#ifndef TILELAB_LU_DIAGONAL_TILE_CUH
#define TILELAB_LU_DIAGONAL_TILE_CUH

#include "bad_pivot.cuh"
#include "reciprocal.cuh"
#include "tensor_product.cuh"

enum { SQUARE = 32, SQUARE_ROW = SQUARE + 4, SQUARE_SIZE = SQUARE * SQUARE };
static const unsigned WHOLE_WARP = 0xFFFFFFFF;

/* --- Barriers in shared memory, at which a warp arrives in each phase; the parity of the first phase is 0 --- */

typedef unsigned long long mbarrier;

__device__ static inline unsigned shared_address(const void *pointer)
{
    return (unsigned)__cvta_generic_to_shared(pointer);
}

/* One thread calls this; a barrier of the block follows. */
__device__ static inline void mbarrier_init(mbarrier *barrier)
{
#if __CUDA_ARCH__ >= 800
    asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(shared_address(barrier)) : "memory");
#endif
}

/* Takes the barrier's address in shared memory. All lanes call this, each for what it has written. */
__device__ static inline void mbarrier_arrive(unsigned barrier)
{
#if __CUDA_ARCH__ >= 800
    asm volatile("{\n.reg .b64 state;\nmbarrier.arrive.shared.b64 state, [%0];\n}" ::"r"(barrier) : "memory");
#endif
}

/* Waits until the phase with this parity has ended. The thread then sees what was written before the arrival. */
__device__ static inline void mbarrier_wait(mbarrier *barrier, int parity)
{
#if __CUDA_ARCH__ >= 800
    int ended;
    do
        asm volatile("{\n.reg .pred ended;\n"
#if __CUDA_ARCH__ >= 900
                     "mbarrier.try_wait.parity.shared.b64 ended, [%1], %2;\n"
#else
                     "mbarrier.test_wait.parity.shared.b64 ended, [%1], %2;\n"
#endif

                     "selp.s32 %0, 1, 0, ended;\n}"
                     : "=r"(ended)
                     : "r"(shared_address(barrier)), "r"(parity)
                     : "memory");
    while (!ended);
#endif
}

/* --- Squares --- */

/* A square tile of a matrix, for one thread block. */
template <typename real, int SIDE> using square_tile = block_tile<real, SIDE, SIDE, 2, SIDE / 32>;

/* Whether reciprocal() serves a pivot. */
__device__ static inline bool is_usable(double pivot)
{
    return fabs(pivot) > 0x1p-1000 && fabs(pivot) < 0x1p1000;
}
__device__ static inline bool is_usable(float pivot)
{
    return fabsf(pivot) > 0x1p-120f && fabsf(pivot) < 0x1p120f;
}

/* A vector of 16 bytes. */
template <typename real> struct __align__(16) chunk
{
    enum { COUNT = 16 / sizeof(real) };
    real at[COUNT];
};

/* Stores a chunk in shared memory if `mine`, without a branch. */
__device__ static inline void store_if(bool mine, double *to, const double *from)
{
    asm volatile(
        "{\n.reg .pred mine;\nsetp.ne.s32 mine, %0, 0;\n@mine st.shared.v2.f64 [%1], {%2, %3};\n}" ::"r"((int)mine),
        "r"(shared_address(to)), "d"(from[0]), "d"(from[1])
        : "memory");
}
__device__ static inline void store_if(bool mine, float *to, const float *from)
{
    asm volatile(
        "{\n.reg .pred mine;\nsetp.ne.s32 mine, %0, 0;\n@mine st.shared.v4.f32 [%1], {%2, %3, %4, %5};\n}" ::"r"(
            (int)mine),
        "r"(shared_address(to)), "f"(from[0]), "f"(from[1]), "f"(from[2]), "f"(from[3])
        : "memory");
}

/* What the warp that factors a square tells the others. An array holds a line from the diagonal on: element j of line k
 * belongs to row or column k + j. Squares take turns with two buffers of U. */
template <typename real> struct __align__(16) square_memory
{
    real row[2][SQUARE][SQUARE]; /* of U */
    real column[SQUARE][SQUARE]; /* of L */
    real inverse_pivot[2][SQUARE];
};

/* Steps are told in groups, and the number of live columns shrinks after each stage. In registers the column of the
 * present step always comes first: each step shifts the columns by one, so that loops over steps stay rolled and the
 * code stays small. */
enum { TOLD_STEPS = 4, STAGE_STEPS = 8, TOLD = SQUARE / TOLD_STEPS };

/* x[j] -= factor * line[j], shifted by one. */
template <int LIVE, typename real>
__device__ static inline void subtract_line(real (&x)[SQUARE], real factor, const real *line)
{
#pragma unroll
    for (int c = 0; c < LIVE; c += chunk<real>::COUNT) {
        const chunk<real> part = *(const chunk<real> *)(line + c);
#pragma unroll
        for (int i = 0; i < chunk<real>::COUNT; i++)
            if (c + i > 0)
                x[c + i - 1] = fma(-factor, part.at[i], x[c + i]);
    }
}

/* Factors a square; a warp calls this. Lane i holds row i of what is left, or anything once the row is finished. The
 * result is what the memory tells. */
template <int LIVE, typename real>
__device__ static inline void factor_stage(real (&a)[SQUARE], square_memory<real> *memory, int turn, unsigned told)
{
    const int lane = threadIdx.x % 32;
#pragma unroll 1
    for (int k = SQUARE - LIVE; k < SQUARE - LIVE + STAGE_STEPS; k++) {
        const real pivot = __shfl_sync(WHOLE_WARP, a[0], k);
        real *const line = memory->row[turn][k];
#pragma unroll
        for (int c = 0; c < LIVE; c += chunk<real>::COUNT)
            store_if(lane == k, line + c, a + c);
        __syncwarp(); /* the row of U is complete before other lanes read it */
        const real inverse = reciprocal(pivot), l = a[0] * inverse;
        subtract_line<LIVE>(a, l, line);
        memory->column[k][(lane - k) & (SQUARE - 1)] = l;
        if (lane == k)
            memory->inverse_pivot[turn][k] = inverse;
        if (k % TOLD_STEPS == TOLD_STEPS - 1) {
            mbarrier_arrive(told); /* the lines are complete, and other warps may read them */
            told += sizeof(mbarrier);
        }
    }
    if constexpr (LIVE > STAGE_STEPS)
        factor_stage<LIVE - STAGE_STEPS>(a, memory, turn, told);
}

template <typename real>
__device__ static inline void factor_square(const real *square, int row, square_memory<real> *memory, int turn,
                                            mbarrier *told)
{
    const int lane = threadIdx.x % 32;
    unsigned address = shared_address(told);
    asm volatile("" : "+r"(address)); /* or the compiler would find the address anew in each step */
    real a[SQUARE];
#pragma unroll
    for (int j = 0; j < SQUARE; j++)
        a[j] = square[lane * row + j];
    factor_stage<SQUARE>(a, memory, turn, address);
}

/* Solves x U = x for a row x of each lane, step by step as soon as U is told; a warp calls this. */
template <int LIVE, typename real>
__device__ static inline void follow_rows(real (&x)[SQUARE], real *to, const square_memory<real> *memory, int turn,
                                          mbarrier *told)
{
#pragma unroll 1
    for (int k = SQUARE - LIVE; k < SQUARE - LIVE + STAGE_STEPS; k++) {
        if (told && k % TOLD_STEPS == 0)
            mbarrier_wait(told + k / TOLD_STEPS, turn); /* the next rows of U are known */
        const real solution = x[0] * memory->inverse_pivot[turn][k];
        subtract_line<LIVE>(x, solution, memory->row[turn][k]);
        to[k] = solution;
    }
    if constexpr (LIVE > STAGE_STEPS)
        follow_rows<LIVE - STAGE_STEPS>(x, to, memory, turn, told);
}

/* Solves L x = x for a column x of each lane, likewise. */
template <int LIVE, typename real>
__device__ static inline void follow_columns(real (&x)[SQUARE], real *to, int row, const square_memory<real> *memory,
                                             int turn, mbarrier *told)
{
#pragma unroll 1
    for (int k = SQUARE - LIVE; k < SQUARE - LIVE + STAGE_STEPS; k++) {
        if (k % TOLD_STEPS == 0)
            mbarrier_wait(told + k / TOLD_STEPS, turn); /* the next columns of L are known */
        const real solution = x[0];
        subtract_line<LIVE>(x, solution, memory->column[k]);
        to[k * row] = solution;
    }
    if constexpr (LIVE > STAGE_STEPS)
        follow_columns<LIVE - STAGE_STEPS>(x, to, row, memory, turn, told);
}

/* Finds L in a square below, in place, or U^-1 if `from` is NULL: then its rows are those of the identity. */
template <typename real>
__device__ static inline void solve_rows(const real *from, real *to, int row, const square_memory<real> *memory,
                                         int turn, mbarrier *told)
{
    const int lane = threadIdx.x % 32;
    real x[SQUARE];
#pragma unroll
    for (int j = 0; j < SQUARE; j++)
        x[j] = from ? from[lane * row + j] : real(j == lane);
    follow_rows<SQUARE>(x, to + lane * row, memory, turn, told);
}

/* Finds U in a square to the right, in place, or L^-1 if `from` is NULL. */
template <typename real>
__device__ static inline void solve_columns(const real *from, real *to, int row, const square_memory<real> *memory,
                                            int turn, mbarrier *told)
{
    const int lane = threadIdx.x % 32;
    real x[SQUARE];
#pragma unroll
    for (int i = 0; i < SQUARE; i++)
        x[i] = from ? from[i * row + lane] : real(i == lane);
    follow_columns<SQUARE>(x, to + lane, row, memory, turn, told);
}

/* Factors a SIDE x SIDE tile in place. `inverses` on the device gets the inverses of L and of U for each square, L
 * first. The pivots of `count` rows are judged; `first` is the number of the first one. All threads call this, after a
 * barrier.
 *
 * While one warp factors a square, the others follow it: each finds a square of L below it or of U to its right, or an
 * inverse. The inverse of U has to wait for the next square, until there are idle warps. */
template <typename real, int SIDE>
__device__ static __noinline__ void factor_tile(real *tile, square_memory<real> *memory, mbarrier *told, real *inverses,
                                                int64_t first, int count, lu_bad_pivot *bad_pivot)
{
    enum { ROW = SIDE + 4, WARPS = square_tile<real, SIDE>::THREADS / 32 };
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
#pragma unroll 1
    for (int at = 0; at < SIDE; at += SQUARE, inverses += 2 * SQUARE_SIZE) {
        const int squares = (SIDE - at) / SQUARE - 1, turn = at / SQUARE % 2;
        real *const square = tile + at * (ROW + 1), *const right = square + SQUARE,
                    *const below = square + SQUARE * ROW;
        if (warp == 0) {
            factor_square(square, ROW, memory, turn, told);
            const real pivot = memory->row[turn][lane][0];
            const unsigned bad = ~__ballot_sync(WHOLE_WARP, is_usable(pivot) || at + lane >= count);
            if (bad != 0 && lane == __ffs(bad) - 1)
                lu_bad_pivot_note(bad_pivot, first + at + lane, (double)pivot);
        } else if (warp <= squares) {
            real *const rows = below + (warp - 1) * SQUARE * ROW;
            solve_rows(rows, rows, ROW, memory, turn, told);
        } else if (warp <= 2 * squares) {
            real *const columns = right + (warp - squares - 1) * SQUARE;
            solve_columns(columns, columns, ROW, memory, turn, told);
        } else if (warp == 2 * squares + 1) {
            solve_columns<real>(nullptr, inverses, SQUARE, memory, turn, told);
        } else if (warp == 2 * squares + 2) {
            solve_rows<real>(nullptr, inverses - SQUARE_SIZE, SQUARE, memory, 1 - turn, nullptr);
        } else if (warp == 3 && squares == 0) {
            solve_rows<real>(nullptr, inverses + SQUARE_SIZE, SQUARE, memory, turn, told);
        }
        __syncthreads(); /* L and U are complete before the update reads them */
        for (int unit = threadIdx.x; unit < SQUARE_SIZE; unit += WARPS * 32) {
            const int i = unit / SQUARE, j = unit % SQUARE;
            square[i * ROW + j] = i > j ? memory->column[j][i - j] : memory->row[turn][i][j - i];
        }
#pragma unroll 1
        for (int unit = warp; unit < 4 * squares * squares; unit += WARPS) {
            const int row = unit / (2 * squares) * 16, col = unit % (2 * squares) * 16;
            real sum[1][2][4] = {}, *const to = right + SQUARE * ROW + row * ROW + col;
            warp_multiply(sum, below + row * ROW, ROW, right + col, ROW, SQUARE);
            warp_each(sum, [&](int i, int j, real *two) {
                pair<real> *const here = (pair<real> *)(to + i * ROW + j);
                *here = {{here->at[0] - two[0], here->at[1] - two[1]}};
            });
        }
        __syncthreads(); /* the next square is up to date */
    }
}

/* Copies a square from device memory; all threads call this. */
template <typename real, int THREADS, bool WIDE>
__device__ static inline void copy_square(real *to, int to_row, const real *from, int64_t ld)
{
    enum { BYTES = WIDE ? 16 : sizeof(real), AT_ONCE = BYTES / sizeof(real), A_ROW = SQUARE / AT_ONCE };
#pragma unroll
    for (int at = threadIdx.x; at < SQUARE * A_ROW; at += THREADS)
        copy_async<BYTES>(to + at / A_ROW * to_row + at % A_ROW * AT_ONCE,
                          from + at / A_ROW * ld + at % A_ROW * AT_ONCE, BYTES);
}

/* Solves L X = B for a tile B right of the diagonal, or X U = B for a tile below it. B lies in shared memory and is
 * replaced by X. `diagonal` is the factored tile on the device, `inverses` as factor_tile() left them. `factors` is
 * shared memory for parts of L or U with the inverses in place of their squares: for each strip of the solution one
 * panel. Each warp owns 16 columns or rows. */
template <typename real, int SIDE, bool WIDE>
__device__ static __noinline__ void solve_right(real *tile, real *factors, const real *diagonal, int64_t ld,
                                                const real *inverses)
{
    enum { ROW = SIDE + 4, STRIPS = SIDE / SQUARE, THREADS = square_tile<real, SIDE>::THREADS };
    real *panel = factors;
#pragma unroll 1
    for (int strip = 0; strip < STRIPS; strip++) {
        const int row = (strip + 1) * SQUARE + 4;
        for (int before = 0; before < strip; before++)
            copy_square<real, THREADS, WIDE>(panel + before * SQUARE, row,
                                             diagonal + strip * SQUARE * ld + before * SQUARE, ld);
        copy_square<real, THREADS, true>(panel + strip * SQUARE, row, inverses + 2 * strip * SQUARE_SIZE, SQUARE);
        panel += SQUARE * row;
    }
    copy_async_wait_all();
    __syncthreads(); /* the panels and the tile are complete before anyone reads them */
    panel = factors;
    real *const own = tile + threadIdx.x / 32 * 16;
#pragma unroll 1
    for (int strip = 0; strip < STRIPS; strip++) {
        const int row = (strip + 1) * SQUARE + 4;
        real *const to = own + strip * SQUARE * ROW;
        real sum[2][2][4] = {};
        if (strip > 0) {
            warp_multiply(sum, panel, row, own, ROW, strip * SQUARE);
            warp_each(sum, [&](int i, int j, real *two) {
                pair<real> *const here = (pair<real> *)(to + i * ROW + j);
                *here = {{here->at[0] - two[0], here->at[1] - two[1]}};
                two[0] = two[1] = 0;
            });
            __syncwarp(); /* the strip is complete before other lanes read it */
        }
        warp_multiply(sum, panel + strip * SQUARE, row, to, ROW, SQUARE);
        __syncwarp(); /* all lanes have read the strip before it is overwritten */
        warp_each(sum, [&](int i, int j, real *two) { *(pair<real> *)(to + i * ROW + j) = {{two[0], two[1]}}; });
        __syncwarp(); /* the solution is complete before other lanes read it */
        panel += SQUARE * row;
    }
}

template <typename real, int SIDE, bool WIDE>
__device__ static __noinline__ void solve_below(real *tile, real *factors, const real *diagonal, int64_t ld,
                                                const real *inverses)
{
    enum { ROW = SIDE + 4, STRIPS = SIDE / SQUARE, THREADS = square_tile<real, SIDE>::THREADS };
    real *panel = factors;
#pragma unroll 1
    for (int strip = 0; strip < STRIPS; strip++) {
        for (int before = 0; before < strip; before++, panel += SQUARE * SQUARE_ROW)
            copy_square<real, THREADS, WIDE>(panel, SQUARE_ROW, diagonal + before * SQUARE * ld + strip * SQUARE, ld);
        copy_square<real, THREADS, true>(panel, SQUARE_ROW, inverses + (2 * strip + 1) * SQUARE_SIZE, SQUARE);
        panel += SQUARE * SQUARE_ROW;
    }
    copy_async_wait_all();
    __syncthreads(); /* the panels and the tile are complete before anyone reads them */
    panel = factors;
    real *const own = tile + threadIdx.x / 32 * 16 * ROW;
#pragma unroll 1
    for (int strip = 0; strip < STRIPS; strip++) {
        real *const to = own + strip * SQUARE;
        real sum[1][4][4] = {};
        if (strip > 0) {
            warp_multiply(sum, own, ROW, panel, SQUARE_ROW, strip * SQUARE);
            warp_each(sum, [&](int i, int j, real *two) {
                pair<real> *const here = (pair<real> *)(to + i * ROW + j);
                *here = {{here->at[0] - two[0], here->at[1] - two[1]}};
                two[0] = two[1] = 0;
            });
            __syncwarp(); /* the strip is complete before other lanes read it */
            panel += strip * SQUARE * SQUARE_ROW;
        }
        warp_multiply(sum, to, ROW, panel, SQUARE_ROW, SQUARE);
        __syncwarp(); /* all lanes have read the strip before it is overwritten */
        warp_each(sum, [&](int i, int j, real *two) { *(pair<real> *)(to + i * ROW + j) = {{two[0], two[1]}}; });
        __syncwarp(); /* the solution is complete before other lanes read it */
        panel += SQUARE * SQUARE_ROW;
    }
}

#endif
