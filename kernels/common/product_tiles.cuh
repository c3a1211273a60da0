/* What CUDA kernels of products share whose thread blocks copy tiles asynchronously: which tile of C a block owns, and
 * the copy of a tile to shared memory. For the device part of a kernel file.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COMMON_PRODUCT_TILES_CUH
#define TILELAB_COMMON_PRODUCT_TILES_CUH

#include "copy_async.cuh"
#include "cuda_variant.cuh"

#include <math.h>
#include <stdint.h>

struct product_tile {
    int64_t m, n; /* numbers of the tile along the rows and along the columns of C */
};

/* Blocks start in the order of their numbers. Neighbours in this order share rows of A or columns of B, so that the L2
 * cache serves most of their reads: the order walks along n in bands of so many rows of tiles. */
enum { PRODUCT_BAND = 8 };

/* Tile number `at` of tiles_m * tiles_n tiles. */
static __device__ inline product_tile product_tile_at(int64_t at, int64_t tiles_m, int64_t tiles_n,
                                                      int rows = PRODUCT_BAND)
{
    const int64_t whole = rows * tiles_n, first = at / whole * rows, left = tiles_m - first;
    const int64_t band = left < rows ? left : rows;
    return {first + at % whole % band, at % whole / band};
}

static __device__ inline product_tile product_tile_of_block(int64_t tiles_m, int64_t tiles_n)
{
    return product_tile_at(blockIdx.x, tiles_m, tiles_n);
}

/* Tile number `at` of the tiles on and below the diagonal of a square of `side` x `side` tiles. Each of these square
 * tiles may consist of `slices` neighbours along the rows of C. */
static __device__ inline product_tile product_triangle_at(int64_t at, int64_t side, int slices)
{
    const int slice = (int)(at % slices);
    at /= slices;
    int64_t row = (int64_t)((sqrt(8.0 * (double)at + 1) - 1) / 2); /* if rows were counted one by one */
    row -= row * (row + 1) / 2 > at;
    row += (row + 1) * (row + 2) / 2 <= at;
    const int64_t first = row / PRODUCT_BAND * PRODUCT_BAND, left = side - first;
    const int64_t band = left < PRODUCT_BAND ? left : PRODUCT_BAND;
    at -= first * (first + 1) / 2;
    if (at < first * band)
        return {(first + at % band) * slices + slice, at / band};
    at -= first * band;
    int64_t col = 0; /* within the triangle at the band's end, which is walked column by column */
    for (; at >= band - col; col++)
        at -= band - col;
    return {(first + col + at) * slices + slice, first + col};
}

static inline int64_t product_tiles(int64_t size, int64_t tile)
{
    return (size + tile - 1) / tile;
}

static inline int64_t product_triangle(int64_t side, int slices)
{
    return side * (side + 1) / 2 * slices;
}

/* --- Tiles that several blocks share --- */

/* The first `whole` tiles have a block each. They fill the device a number of times. For each of the `rest` tiles,
 * `parts` blocks sum a part of the steps along k. So the last blocks also employ all multiprocessors. This is
 * a simple form of Stream-K (Osama et al. 2023). */
struct product_plan {
    int64_t whole, rest;
    int parts;
};

/* `slots` is the number of blocks that the device holds. */
static inline product_plan product_plan_make(int64_t tiles, int64_t steps, int64_t slots)
{
    const int64_t least = 2, most = 16; /* steps of a part; parts of a tile, whose sums must be added */
    const int64_t few = 4;              /* if the device is filled more often, idle multiprocessors cost little */
    const int64_t rest = tiles % slots;
    int64_t parts = rest > 0 && tiles < few * slots ? slots / rest : 1;
    parts = parts < steps / least ? parts : steps / least;
    parts = parts < most ? parts : most;
    return parts > 1 ? product_plan{tiles - rest, rest, (int)parts} : product_plan{tiles, 0, 1};
}

static inline int64_t product_plan_blocks(const product_plan &plan)
{
    return plan.whole + plan.rest * plan.parts;
}

/* The work of a block: steps `first` to `last` - 1 of a tile. */
struct product_work {
    int64_t tile;
    int first, last;
    int64_t part; /* number of the part among all parts; negative: the block has the whole tile */
};

static __device__ inline product_work product_work_of_block(const product_plan &plan, int steps)
{
    const int64_t block = blockIdx.x, part = block - plan.whole;
    if (part < 0)
        return {block, 0, steps, -1};
    const int at = (int)(part % plan.parts);
    return {plan.whole + part / plan.parts, (int)((int64_t)steps * at / plan.parts),
            (int)((int64_t)steps * (at + 1) / plan.parts), part};
}

/* Adds the parts of the tiles that blocks share, and stores their sums in C (m x n). If C is symmetric, it stores the
 * lower triangle and its mirror image. A block of 32 x 32 threads adds as many elements of a tile of BM x BN. */
template <typename real, int BM, int BN, bool SYMMETRIC>
__global__ void __launch_bounds__(1024)
    product_add_parts(product_plan plan, const real *__restrict__ parts, int64_t m, int64_t n, real *__restrict__ c)
{
    enum { EDGE = 32, CORNERS = BM / EDGE * (BN / EDGE) };
    __shared__ real mirror[EDGE][EDGE + 1];
    const int64_t at = blockIdx.x / CORNERS;
    const int corner = (int)(blockIdx.x % CORNERS), corner_row = corner / (BN / EDGE) * EDGE,
              corner_col = corner % (BN / EDGE) * EDGE;
    const int64_t tiles_m = (m + BM - 1) / BM, tiles_n = (n + BN - 1) / BN;
    const product_tile own = SYMMETRIC ? product_triangle_at(plan.whole + at, tiles_n, BN / BM)
                                       : product_tile_at(plan.whole + at, tiles_m, tiles_n);
    const int64_t first_row = own.m * BM + corner_row, first_col = own.n * BN + corner_col;
    const int x = threadIdx.x, y = threadIdx.y;
    const real *const from = parts + at * plan.parts * BM * BN + (corner_row + y) * BN + corner_col + x;
    real sum = 0;
#pragma unroll 8
    for (int part = 0; part < plan.parts; part++)
        sum += from[part * BM * BN];
    const int64_t row = first_row + y, col = first_col + x;
    if (row < m && col < n && !(SYMMETRIC && col > row))
        c[row * n + col] = sum;
    if (!SYMMETRIC)
        return;
    mirror[y][x] = sum;
    __syncthreads(); /* the sums are complete before threads store their mirror image */
    if (first_row + x < n && first_col + y < first_row + x)
        c[(first_col + y) * n + first_row + x] = mirror[x][y];
}

/* Starts the kernel that adds the parts, if there are any. */
template <typename real, int BM, int BN, bool SYMMETRIC>
static int product_finish_parts(struct job *job, const product_plan &plan, const real *parts, int64_t m, int64_t n,
                                real *c)
{
    enum { EDGE = 32, CORNERS = BM / EDGE * (BN / EDGE) };
    if (plan.rest == 0)
        return 0;
    product_add_parts<real, BM, BN, SYMMETRIC>
        <<<(unsigned)(plan.rest * CORNERS), dim3(EDGE, EDGE), 0, (cudaStream_t)job->stream>>>(plan, parts, m, n, c);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

/* --- Copies --- */

/* The copy of a tile of ROWS x COLS elements to shared memory by THREADS threads, in PARTS equal parts. A thread copies
 * BYTES bytes at a time. All addresses in global memory are multiples of BYTES, and so is the size of a row. */
template <typename real, int ROWS, int COLS, int THREADS, int BYTES> struct product_copy {
    enum { AT_ONCE = BYTES / sizeof(real), A_ROW = COLS / AT_ONCE, APART = THREADS / A_ROW, PARTS = ROWS / APART };
    static_assert(THREADS % A_ROW == 0 && ROWS % APART == 0, "all threads copy as much");

    /* Starts the copy of a part of the tile at `from` in a matrix whose rows are `ld` elements apart. `thread` counts
     * from 0. Only rows x cols elements exist; zeros stand for the others, and none may exist. place(i, j) is the
     * index of element (i, j) in shared memory. */
    template <typename placement>
    static __device__ void part(int part, int thread, real *to, const real *from, int64_t ld, int64_t rows,
                                int64_t cols, const placement &place)
    {
        const int i = thread / A_ROW + part * APART, j = thread % A_ROW * AT_ONCE;
        copy_async<BYTES>(to + place(i, j), from + i * ld + j, i < rows && j < cols ? BYTES : 0);
    }

    template <typename placement>
    static __device__ void whole(int thread, real *to, const real *from, int64_t ld, int64_t rows, int64_t cols,
                                 const placement &place)
    {
        const int j = thread % A_ROW * AT_ONCE, count = j < cols ? (int)(rows < ROWS ? rows : ROWS) : 0;
        int i = thread / A_ROW;
        from += i * ld + j;
#pragma unroll
        for (int at = 0; at < PARTS; at++, i += APART, from += APART * ld)
            copy_async<BYTES>(to + place(i, j), from, i < count ? BYTES : 0);
    }
};

#endif
