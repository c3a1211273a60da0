/* The sweeps of seidel/cuda-onchip on the device: each thread block keeps its tiles of A, inverts its diagonal tile of
 * D/omega + L, and exchanges parts of sums and blocks of x with the others. For the device part of a kernel file.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_SEIDEL_ONCHIP_SWEEPS_CUH
#define TILELAB_SEIDEL_ONCHIP_SWEEPS_CUH

#include "tile_rows.cuh"
#include "tile_stream.cuh"
#include "common/copy_async.cuh"
#include "common/solver_device.cuh"
#include "common/tagged_poll.cuh"

enum {
    THREADS = TEAM + WARP_SIZE, /* the last warp judges the residuals */
    WARPS = TEAM / WARP_SIZE,
    SHARE = 4,        /* tiles of a thread block, if the device has enough multiprocessors */
    IN_REGISTERS = 3, /* of these tiles, how many lie in registers; the others lie in shared memory */
    SUM_BUFFERS = 4,  /* a sum of squares of sweep k + 4 replaces that of sweep k */
    LATE = 1,         /* the residual of sweep k - LATE is judged during sweep k, so that nobody waits for it */
};

/* What a thread block sends to the first one of its block row, for each row: its sum over all of its tiles, and over
 * those that are multiplied by elements of x from the last sweep. */
template <typename real> struct row_sums {
    tagged_value<real> all, old;
};

template <typename real> struct solver {
    int n, blocks;    /* number of unknowns; of blocks of x */
    int parts, share; /* thread blocks of a block row; most tiles of a thread block */
    struct solver_rule rule;
    const real *a, *b;
    real *inverse;                    /* inverses of the diagonal blocks of D/omega + L */
    tagged_value<real> *x_values;     /* elements of x, in whole blocks; all 0 at first */
    row_sums<real> *part_sums;        /* of each thread block, TILE rows; all 0 at first */
    tagged_value<double> *sum_values; /* sums of squares, SUM_BUFFERS for each block row; all 0 at first */
    real *x;
    struct solver_log *log;
};

/* The place of a thread block. Its tiles are counted by their distance before the diagonal in the cycle of block
 * columns: tile q belongs to x_J, which was found nearest + q steps before x_I. At distance `blocks` is the diagonal
 * tile. */
struct place {
    int block_row, which; /* I; the number among the thread blocks of this block row */
    int nearest, count;   /* the least distance; number of tiles */
};

/* What the threads of a thread block share, beside the tiles. */
template <typename real> struct board {
    __align__(16) real x[2][TILE]; /* a block of x, in turns, since some threads may still read the last one */
    __align__(16) real changes[TILE];
    real found[3][TILE]; /* the block row's part of x_k, at k % 3 */
    double squares[WARPS];
    int64_t end[2]; /* for even and odd sweeps, since a slow warp may still read the last one */
    struct solver_log log;
};

/* --- The tiles --- */

template <typename real>
__global__ void __launch_bounds__(TILE *ROW_THREADS) seidel_inverses(const struct solver<real> of)
{
    extern __shared__ __align__(16) unsigned char memory[];
    const int first = blockIdx.x * TILE;
    invert<real, TILE>(of.a, of.n, of.rule.omega, first, (real *)memory, of.inverse + (int64_t)first * TILE);
}

/* Makes tile q, M_IJ: the inverse times A_IJ. If J = I, times U + (1 - 1/omega) D of this tile. `staged` has room for a
 * tile. */
template <typename real>
static __device__ tile_part<real> make_tile(const struct solver<real> &of, const struct place &at, int q,
                                            const real *inverse, real *staged)
{
    using own = tile_part<real>;
    using pack = typename own::pack;
    const int column = (at.block_row - at.nearest - q + of.blocks) % of.blocks;
    const real share = (real)(1 - 1 / of.rule.omega); /* of the diagonal */
    for (int i = threadIdx.x; i < TILE * TILE; i += TEAM) {
        const int r = i / TILE, c = i % TILE, row = at.block_row * TILE + r, col = column * TILE + c;
        real value = row < of.n && col < of.n ? of.a[(int64_t)row * of.n + col] : real(0);
        if (at.block_row == column && c <= r)
            value = c == r ? value * share : real(0);
        staged[i] = value;
    }
    tile_barrier(); /* the tile of A is in shared memory before anyone reads it */
    own made = {};
    const pack *const factors = (const pack *)inverse + threadIdx.x / LANES * 2 * own::ROW_PACKS;
    const pack *const rows = (const pack *)staged + threadIdx.x % LANES;
    for (int l = 0; l < own::ROW_PACKS; l++) {
        const pack factor[2] = {factors[l], factors[own::ROW_PACKS + l]};
#pragma unroll
        for (int f = 0; f < own::COUNT; f++)
#pragma unroll
            for (int i = 0; i < own::PACKS; i++) {
                const pack row = rows[(l * own::COUNT + f) * own::ROW_PACKS + i * LANES];
#pragma unroll
                for (int r = 0; r < 2; r++)
#pragma unroll
                    for (int e = 0; e < own::COUNT; e++)
                        made.of[r][i].element[e] += factor[r].element[f] * row.element[e];
            }
    }
    tile_barrier(); /* everyone has read the tile of A before it is replaced */
    return made;
}

/* The diagonal tile of D/omega + L. */
template <typename real>
static __device__ tile_part<real> load_lower(const struct solver<real> &of, const struct place &at)
{
    using own = tile_part<real>;
    own made;
#pragma unroll
    for (int r = 0; r < 2; r++)
#pragma unroll
        for (int i = 0; i < own::PACKS; i++)
#pragma unroll
            for (int e = 0; e < own::COUNT; e++) {
                const int in_tile = (int)threadIdx.x / LANES * 2 + r, row = at.block_row * TILE + in_tile;
                const int c = (i * LANES + (int)threadIdx.x % LANES) * own::COUNT + e;
                const real value =
                    row < of.n && c <= in_tile ? of.a[(int64_t)row * of.n + at.block_row * TILE + c] : real(0);
                made.of[r][i].element[e] = c == in_tile ? value / (real)of.rule.omega : value;
            }
    return made;
}

/* Makes the thread block's tiles, and returns c_I of the thread's row: the inverse times b_I. In shared memory the tile
 * of D/omega + L comes first, then the tiles that are not in registers. */
template <typename real>
static __device__ real begin_tiles(const struct solver<real> &of, const struct place &at, real *memory, real *b,
                                   tile_part<real> (&tile)[IN_REGISTERS])
{
    real *const inverse = memory, *const staged = memory + TILE * TILE;
    for (int i = threadIdx.x; i < TILE * TILE; i += TEAM)
        inverse[i] = of.inverse[(int64_t)at.block_row * TILE * TILE + i];
    if (threadIdx.x < TILE) {
        const int row = at.block_row * TILE + threadIdx.x;
        b[threadIdx.x] = row < of.n ? of.b[row] : real(0);
    }
    tile_barrier(); /* the inverse and b are in shared memory before anyone reads them */
    tile_sums<real> product = {};
    tile_add_products(tile_load(inverse), b, product);
    const real c = tile_row_sum(product);
#pragma unroll
    for (int q = 0; q < IN_REGISTERS; q++)
        if (q < at.count)
            tile[q] = make_tile(of, at, q, inverse, staged);
    for (int q = at.count - 1; q >= IN_REGISTERS; q--) /* the last of them takes the place of `staged` */
        tile_keep(make_tile(of, at, q, inverse, staged), staged + (q - IN_REGISTERS) * TILE * TILE);
    tile_keep(load_lower(of, at), inverse); /* the inverse is no longer needed */
    return c;
}

/* --- Residuals --- */

/* Judges the residual of sweep k, from the sums of all block rows; a warp calls this. */
template <typename real>
static __device__ void judge(const struct solver<real> &of, int64_t k, struct solver_log &log, int64_t &end)
{
    const tagged_value<double> *const squares = of.sum_values + k % SUM_BUFFERS * of.blocks;
    double sum = 0;
    for (int i = threadIdx.x % WARP_SIZE; i < of.blocks; i += WARP_SIZE)
        sum += tagged_value_wait(squares + i, (unsigned)(k + 1));
    sum = solver_group_sum<WARP_SIZE>(sum);
    if (threadIdx.x % WARP_SIZE == 0)
        end = solver_note(&of.rule, &log, k, sqrt(sum));
}

/* Sends the sum of squares of the block row's part of r_k. `change` is (inverse) U (x_{k-1} - x_k) of the thread's row,
 * where U stands for U + (1 - 1/omega) D. Since x_k solved (D/omega + L) x_k = b - U x_{k-1}, the residual is
 * U (x_{k-1} - x_k). */
template <typename real>
static __device__ void send_squares(const real *lower, real change, struct board<real> &board, tagged_value<double> *to,
                                    unsigned tag)
{
    const int lane = threadIdx.x % WARP_SIZE, warp = threadIdx.x / WARP_SIZE;
    if (tile_row_first())
        board.changes[tile_row()] = change;
    tile_barrier(); /* all changes are in shared memory before anyone multiplies by them */
    tile_sums<real> product = {};
    tile_add_products(tile_kept(lower), board.changes, product);
    const double residual = tile_row_sum(product);
    const double sum = solver_group_sum<WARP_SIZE>(tile_row_first() ? residual * residual : 0.0);
    if (lane == 0)
        board.squares[warp] = sum;
    tile_barrier(); /* all warps have written their sums before the first one adds them */
    if (warp == 0) {
        const double all = solver_group_sum<WARP_SIZE>(lane < WARPS ? board.squares[lane] : 0.0);
        if (lane == 0)
            tagged_value_store(to, all, tag);
    }
}

/* --- A sweep --- */

/* Waits for the block of x that was found so many steps before the thread block's own. Above the diagonal it is part of
 * x_{k+1}, whose tag is given; else it is part of x_k. */
template <typename real>
static __device__ void wait_for(const struct solver<real> &of, int block_row, int distance, unsigned tag, real *x)
{
    const bool is_new = distance <= block_row;
    const int column = block_row - distance + (is_new ? 0 : of.blocks);
    if (threadIdx.x < TILE)
        x[threadIdx.x] = tagged_value_wait(of.x_values + column * TILE + threadIdx.x, is_new ? tag : tag - 1);
    tile_barrier(); /* the block of x is complete before anyone multiplies by it */
}

/* Adds what the other thread blocks of the block row have sent of the thread's row. Each of the row's threads asks some
 * of them. */
template <typename real>
static __device__ void add_parts(const struct solver<real> &of, unsigned tag, real &all, real &old)
{
    real sum = 0, sum_old = 0;
    for (int which = 1 + threadIdx.x % (LANES / 2); which < of.parts; which += LANES / 2) {
        const row_sums<real> *const from = of.part_sums + (int64_t)(blockIdx.x + which * of.blocks) * TILE + tile_row();
        real found, found_old;
        bool there;
        do {
            there = tagged_value_try(&from->all, tag, found);
            there &= tagged_value_try(&from->old, tag, found_old);
        } while (!there);
        sum += found;
        sum_old += found_old;
    }
    all = solver_group_sum<LANES / 2>(sum);
    old = solver_group_sum<LANES / 2>(sum_old);
}

/* Multiplies the tiles by the latest x, the longest known first. Returns the sum of the thread's row over all tiles,
 * and in `old` the sum over those that belong to x_k. The first thread block of a block row adds the sums of the
 * others. */
template <typename real>
static __device__ real multiply(const struct solver<real> &of, const struct place &at, unsigned tag,
                                const tile_part<real> (&tile)[IN_REGISTERS], const real *rest,
                                struct board<real> &board, int &turn, real &old)
{
    tile_sums<real> sum = {};
    real others = 0, others_old = 0;
    old = 0;
    for (int q = at.count - 1; q >= IN_REGISTERS; q--, turn ^= 1) {
        if (at.nearest + q == at.block_row)
            old = tile_row_sum(sum);
        wait_for(of, at.block_row, at.nearest + q, tag, board.x[turn]);
        tile_add_products(tile_kept(rest + (q - IN_REGISTERS) * TILE * TILE), board.x[turn], sum);
    }
    if (at.which == 0)
        add_parts(of, tag, others, others_old);
#pragma unroll
    for (int q = IN_REGISTERS - 1; q >= 0; q--)
        if (q < at.count) {
            if (at.nearest + q == at.block_row)
                old = tile_row_sum(sum);
            wait_for(of, at.block_row, at.nearest + q, tag, board.x[turn]);
            tile_add_products(tile[q], board.x[turn], sum);
            turn ^= 1;
        }
    const real all = tile_row_sum(sum);
    old = others_old + (at.nearest > at.block_row ? all : old);
    return others + all;
}

template <typename real> __global__ void __launch_bounds__(THREADS, 1) seidel_onchip(const struct solver<real> of)
{
    extern __shared__ __align__(16) unsigned char memory[];
    using shared_board = struct board<real>;
    __shared__ shared_board memory_of_board;
    unsigned nothing = 0; /* unknown to the compiler, which else computes the board's address anew at each use */
    asm volatile("" : "+r"(nothing));
    shared_board &board = *(shared_board *)((char *)&memory_of_board + nothing);
    struct place at;
    at.block_row = blockIdx.x % of.blocks; /* spreads the thread blocks that find x over the device */
    at.which = blockIdx.x / of.blocks;
    at.nearest = at.which * of.share + 1;
    at.count = min(of.share, of.blocks - at.nearest + 1);
    const bool judges = threadIdx.x >= TEAM, finds = at.which == 0;
    const int row = tile_row(), unknown = at.block_row * TILE + row;
    real *const lower = (real *)memory, *const rest = lower + TILE * TILE;
    tile_part<real> tile[IN_REGISTERS] = {};
    real c = 0, old_before = 0;
    int turn = 0; /* which place of board.x is next */

    if (!judges) {
        old_before = c = begin_tiles(of, at, (real *)memory, board.x[0], tile);
        if (tile_row_first())
            board.found[0][row] = 0;
    } else if (threadIdx.x == TEAM) {
        solver_begin(&board.log);
    }
    for (int64_t k = 0;; k++) {
        const unsigned tag = (unsigned)(k + 1);
        if (judges) {
            if (threadIdx.x == TEAM)
                board.end[k % 2] = SOLVER_RUNNING;
            if (k >= LATE)
                judge(of, k - LATE, board.log, board.end[k % 2]);
        } else {
            real old;
            const real all = multiply(of, at, tag, tile, rest, board, turn, old);
            if (finds && tile_row_first()) {
                tagged_value_store(of.x_values + unknown, c - all, tag);
                board.found[tag % 3][row] = c - all;
            } else if (tile_row_first()) {
                row_sums<real> *const to = of.part_sums + (int64_t)blockIdx.x * TILE + row;
                tagged_value_store(&to->all, all, tag);
                tagged_value_store(&to->old, old, tag);
            }
            if (finds)
                send_squares(lower, old_before - old, board, of.sum_values + k % SUM_BUFFERS * of.blocks + at.block_row,
                             tag);
            old_before = old;
        }
        __syncthreads(); /* the end of the run is written before anyone reads it */
        if (board.end[k % 2] != SOLVER_RUNNING)
            break;
    }
    /* The loop was left in sweep k with x_{k+1}, and with the end of sweep k - 1. */
    if (!judges && finds && tile_row_first() && unknown < of.n)
        of.x[unknown] = board.found[board.log.sweeps % 3][row];
    if (blockIdx.x == 0)
        for (int i = threadIdx.x; i < (int)(sizeof board.log / sizeof(int64_t)); i += THREADS)
            ((int64_t *)of.log)[i] = ((const int64_t *)&board.log)[i];
}

#endif
