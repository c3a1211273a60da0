/* The parts that a factorisation with pivots is launched of, see lu/cuda_pivot.cu: a block of columns by one cluster of
 * thread blocks, and a band of such blocks applied to the columns to its right. For the device part of a kernel file.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_LU_PIVOT_BANDS_CUH
#define TILELAB_LU_PIVOT_BANDS_CUH

#include "left_exchanges.cuh"
#include "panel.cuh"
#include "trailing.cuh"

/* Columns of a block. Blocks are wide while more than WIDE_ABOVE rows are left, since updates then take longer. */
enum { BLOCK = 128, WIDE_BLOCK = BLOCK_MOST, WIDE_ABOVE = 6144 };
/* Blocks form a band, which is applied to later columns at once, so that these are read and written less often. A band
 * has one block, or BAND_BLOCKS wide ones while more than BAND_ABOVE rows are left. The first band has one block, since
 * nothing else can be done meanwhile. */
enum { BAND_BLOCKS = 4, BAND_ABOVE = 8192 };
/* Without look-ahead, a block is factored only after the whole update. */
static const bool LOOK_AHEAD = true;
/* The cluster grows while a thread block has more than ROWS_LEAST rows of a panel. A thread block has at least
 * THREADS_LEAST threads. */
enum { ROWS_LEAST = 64, THREADS_LEAST = 128 };

struct state {
    int multiprocessors, cluster_most;
    cudaStream_t ahead; /* factors blocks; the job's stream does everything else */
    cudaEvent_t ready, factored;
    /* On the device. */
    lu_bad_pivot *bad_pivot;
    int *started;               /* first column of the last block that a cluster has begun */
    exchanges moves, of_blocks; /* exchanges of all panels, and of all blocks */
    /* See left_task. */
    int *panels, *later, groups, left_blocks;
    void *columns;
};

static int at_most(int64_t a, int64_t b)
{
    return (int)(a < b ? a : b);
}

static int64_t round_up(int64_t count, int64_t to)
{
    return (count + to - 1) / to * to;
}

static int block_width(int64_t rows)
{
    return at_most(rows, rows > WIDE_ABOVE ? WIDE_BLOCK : BLOCK);
}

/* Columns first to first + width - 1, in blocks of `block` columns. */
struct band {
    int first, width, block;
};

static band band_at(int first, int n)
{
    const int rows = n - first, block = block_width(rows);
    return {first, first > 0 && rows > BAND_ABOVE ? BAND_BLOCKS * block : block, block};
}

/* --- A block of columns --- */

struct cluster_shape {
    int blocks, threads, threads_with_rows;
};

/* Chooses the cluster for a panel: enough thread blocks for each to have few rows. There are at least two blocks,
 * although one may then have no rows, since compute-sanitizer rejects messages within a cluster of one. */
static cluster_shape shape_cluster(int64_t rows, int rows_a_thread, int most)
{
    cluster_shape shape = {at_most(2, most), 0, 0};
    while (shape.blocks < most && shape.blocks * ROWS_LEAST < rows)
        shape.blocks *= 2;
    shape.threads_with_rows =
        (int)round_up((rows + shape.blocks * rows_a_thread - 1) / (shape.blocks * rows_a_thread), WARP_SIZE);
    shape.threads = shape.threads_with_rows > THREADS_LEAST ? shape.threads_with_rows : THREADS_LEAST;
    return shape;
}

template <typename real, int W, int R>
static int launch_block(struct job *job, cudaStream_t stream, block_task<real> task)
{
    const state *state = (const struct state *)job->state;
    const cluster_shape shape = shape_cluster(task.n - task.first, R, state->cluster_most);
    cudaLaunchAttribute cluster = {};
    cudaLaunchConfig_t config = {};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x = (unsigned)shape.blocks;
    cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
    config.gridDim = dim3((unsigned)shape.blocks);
    config.blockDim = dim3((unsigned)shape.threads);
    config.dynamicSmemBytes = panel_shared_bytes<real, W>(task.width);
    config.stream = stream;
    config.attrs = &cluster;
    config.numAttrs = 1;
    task.threads_with_rows = shape.threads_with_rows;
    CUDA_TRY(job, cudaLaunchKernelEx(&config, lu_pivot_block<real, W, R>, task));
    return 0;
}

/* The number of columns of a panel with `rows` rows: fewer for more rows, so that a panel fits into registers. */
template <typename real> static int panel_width(int64_t rows, int cluster_most)
{
    enum { ROWS_MOST_EACH = sizeof(real) == 8 ? 1 : 2 };
    int width = 32;
    for (int64_t room = (int64_t)cluster_most * PANEL_THREADS * ROWS_MOST_EACH; room < rows; room *= 2)
        width /= 2;
    return width;
}

static int factor(struct job *job, cudaStream_t stream, const block_task<double> &task)
{
    const int most = ((const state *)job->state)->cluster_most;
    switch (panel_width<double>(task.n - task.first, most)) {
    case 32:
        return launch_block<double, 32, 1>(job, stream, task);
    case 16:
        return launch_block<double, 16, 2>(job, stream, task);
    case 8:
        return launch_block<double, 8, 4>(job, stream, task);
    }
    return launch_block<double, 4, 8>(job, stream, task);
}

static int factor(struct job *job, cudaStream_t stream, const block_task<float> &task)
{
    const int most = ((const state *)job->state)->cluster_most;
    const int64_t rows = task.n - task.first;
    switch (panel_width<float>(rows, most)) {
    case 32:
        if (rows <= (int64_t)most * PANEL_THREADS)
            return launch_block<float, 32, 1>(job, stream, task);
        return launch_block<float, 32, 2>(job, stream, task);
    case 16:
        return launch_block<float, 16, 4>(job, stream, task);
    }
    return launch_block<float, 8, 8>(job, stream, task);
}

/* --- The update of the other columns --- */

template <typename real> static int solve(struct job *job, const solve_task<real> &task)
{
    const int stripes = (int)round_up(task.right.count, SOLVE_STRIPE) / SOLVE_STRIPE;
    lu_pivot_solve<real>
        <<<(unsigned)stripes, SOLVE_THREADS, solve_shared_bytes<real>(task.width), (cudaStream_t)job->stream>>>(task);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

template <typename tile, bool WIDE, typename real>
static int launch_trailing(struct job *job, const trailing_task<real> &task)
{
    const int64_t blocks = product_tiles(task.m, tile::BM) * product_tiles(task.n, tile::BN);
    lu_pivot_update<tile, WIDE>
        <<<(unsigned)blocks, tile::THREADS, tile::SHARED_BYTES, (cudaStream_t)job->stream>>>(task);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

template <bool WIDE, typename real> static int trailing(struct job *job, const trailing_task<real> &task)
{
    typedef trailing_large<real> large;
    const int64_t tiles = product_tiles(task.m, large::BM) * product_tiles(task.n, large::BN);
    enum { WAVES = 3 };
    if (tiles >= (int64_t)WAVES * ((const state *)job->state)->multiprocessors)
        return launch_trailing<large, WIDE>(job, task);
    return launch_trailing<trailing_small<real>, WIDE>(job, task);
}

/* C -= L U for rows `below` to below + rows - 1 of some columns; L and U begin with row and column `first`, and have k
 * columns and rows. */
template <typename real>
static int subtract(struct job *job, const block_task<real> &of, int first, int k, int below, int rows, columns right)
{
    const int64_t ld = of.ld;
    const trailing_task<real> task = {of.a + right.first * ld + first,
                                      of.a + first * ld + below,
                                      of.a + right.first * ld + below,
                                      ld,
                                      right.count,
                                      rows,
                                      k};
    const bool wide = (uintptr_t)of.a % 16 == 0 && ld * (int64_t)sizeof(real) % 16 == 0;
    return wide ? trailing<true>(job, task) : trailing<false>(job, task);
}

/* Applies a band to columns to its right: exchanges rows, finds U block by block, and updates the rows below. */
template <typename real>
static int apply_band(struct job *job, const block_task<real> &of, const band &band, columns right)
{
    const int end = band.first + band.width;
    if (right.count == 0 || band.width == 0)
        return 0;
    solve_task<real> task = {
        of.a, of.ld, band.first, band.block, ((const state *)job->state)->of_blocks, band.width / band.block, right};
    for (; task.first < end; task.first += band.block, task.moved = 0) {
        if (task.first > band.first &&
            subtract(job, of, band.first, task.first - band.first, task.first, band.block, right) != 0)
            return -1;
        if (solve(job, task) != 0)
            return -1;
    }
    return subtract(job, of, band.first, band.width, end, of.n - end, right);
}

#endif
