/* A = L U in place, by block columns of `tile`. Each step factors the diagonal block, then finds L below it and U to
 * its right. Then it subtracts the product of this L and this U from the rest, by tiles in local memory.
 * A (n x n) is row-major and contiguous; n is any. No pivoting: the run fails at a pivot that is 0.
 * A step queues three commands: one group of tile x tile work items for the diagonal block; a work item for each row of
 * L and column of U; a work item for each element of the rest. The order of the queue is the only barrier between them.
 * Source: feup. SPDX-License-Identifier: MIT */
#include "sycl_variant.h"

/* The tiles that the kernel is built for. */
#define TILES(EACH) EACH(8) EACH(16) EACH(32)

enum { LINES = 64 }; /* work items of a group; each solves for one row of L or one column of U */

#ifdef __cplusplus

#include "pivot.h"

/* The first pivot that the factorisation cannot use. It lies on the device; the host reads it after the runs. */
struct bad_pivot {
    int64_t step; /* -1: none */
    double pivot;
};

/* A00 = L00 U00 (size x size, size <= TILE), in local memory. */
template <typename real, int TILE> static int factor(struct job *job, int64_t k0)
{
    const int64_t n = job->cell->n;
    const int size = n - k0 < TILE ? static_cast<int>(n - k0) : TILE;
    auto *bad = static_cast<bad_pivot *>(job->state);
    return sycl_submit<real>(job, [=](sycl::handler &handler, auto operand) {
        const auto a = operand.update(0);
        const sycl::local_accessor<real, 2> block({TILE, TILE}, handler);
        handler.parallel_for(sycl_cover(TILE, TILE, TILE, TILE), [=](sycl::nd_item<2> item) {
            const int y = item.get_local_id(0), x = item.get_local_id(1);
            const bool inside = y < size && x < size;
            if (inside)
                block[y][x] = a[(k0 + y) * n + k0 + x];
            for (int k = 0; k < size; k++) {
                sycl::group_barrier(item.get_group()); /* the block has the results of the last step */
                const real pivot = block[k][k];
                if (x == k && y == k && !pivot_usable(pivot) && bad->step < 0)
                    *bad = {k0 + k, static_cast<double>(pivot)};
                if (inside && x == k && y > k)
                    block[y][k] /= pivot;
                sycl::group_barrier(item.get_group()); /* the column below the pivot is divided before it is used */
                if (inside && x > k && y > k)
                    block[y][x] -= block[y][k] * block[k][x];
            }
            sycl::group_barrier(item.get_group()); /* the last step has ended */
            if (inside)
                a[(k0 + y) * n + k0 + x] = block[y][x];
        });
    });
}

/* L10 = A10 U00^-1 and U01 = L00^-1 A01: a work item solves for one row of L or one column of U, in a private array. */
template <typename real, int TILE> static int solve(struct job *job, int64_t k0)
{
    const int64_t n = job->cell->n, rest = n - k0 - TILE;
    return sycl_submit<real>(job, [=](sycl::handler &handler, auto operand) {
        const auto a = operand.update(0);
        handler.parallel_for(sycl_cover(2, rest, 1, LINES), [=](sycl::nd_item<2> item) {
            const int64_t line = k0 + TILE + static_cast<int64_t>(item.get_global_id(1));
            const bool left = item.get_global_id(0) == 0;
            real value[TILE];
            if (line >= n)
                return;
            for (int i = 0; i < TILE; i++) {
                real sum = left ? a[line * n + k0 + i] : a[(k0 + i) * n + line];
                for (int l = 0; l < i; l++)
                    sum -= value[l] * (left ? a[(k0 + l) * n + k0 + i] : a[(k0 + i) * n + k0 + l]);
                value[i] = left ? sum / a[(k0 + i) * n + k0 + i] : sum;
            }
            for (int i = 0; i < TILE; i++)
                if (left)
                    a[line * n + k0 + i] = value[i];
                else
                    a[(k0 + i) * n + line] = value[i];
        });
    });
}

/* A11 -= L10 U01. */
template <typename real, int TILE> static int subtract(struct job *job, int64_t k0)
{
    const int64_t n = job->cell->n, first = k0 + TILE, rest = n - first;
    return sycl_submit<real>(job, [=](sycl::handler &handler, auto operand) {
        const auto a = operand.update(0);
        const sycl::local_accessor<real, 2> l_tile({TILE, TILE}, handler), u_tile({TILE, TILE}, handler);
        handler.parallel_for(sycl_cover(rest, rest, TILE, TILE), [=](sycl::nd_item<2> item) {
            const int64_t row = first + static_cast<int64_t>(item.get_global_id(0));
            const int64_t col = first + static_cast<int64_t>(item.get_global_id(1));
            const int y = item.get_local_id(0), x = item.get_local_id(1);
            l_tile[y][x] = row < n ? a[row * n + k0 + x] : real(0);
            u_tile[y][x] = col < n ? a[(k0 + y) * n + col] : real(0);
            sycl::group_barrier(item.get_group()); /* both tiles are complete before any work item reads them */
            if (row >= n || col >= n)
                return;
            real sum = 0;
            for (int l = 0; l < TILE; l++)
                sum += l_tile[y][l] * u_tile[l][x];
            a[row * n + col] -= sum;
        });
    });
}

template <typename real, int TILE> static int launch_tile(struct job *job)
{
    const int64_t n = job->cell->n;
    int status = 0;
    for (int64_t k0 = 0; k0 < n && status == 0; k0 += TILE) {
        status = factor<real, TILE>(job, k0);
        if (status == 0 && k0 + TILE < n)
            status = solve<real, TILE>(job, k0);
        if (status == 0 && k0 + TILE < n)
            status = subtract<real, TILE>(job, k0);
    }
    return status;
}

SYCL_LAUNCH_BY_TILE(TILES)

static int clear(struct job *job)
{
    const bad_pivot none = {-1, 0};
    auto &stream = *static_cast<sycl_stream *>(job->stream);
    try {
        stream.queue.memcpy(job->state, &none, sizeof none).wait();
        return 0;
    } catch (const std::exception &caught) {
        return sycl_fail(job, "the report of bad pivots", caught);
    }
}

SYCL_ENTRY void lu_sycl_blocked_release(struct job *job)
{
    try {
        sycl::free(job->state, static_cast<sycl_stream *>(job->stream)->queue);
    } catch (const std::exception &) {
        /* The backend finds out whether the device is lost. */
    }
    job->state = nullptr;
}

SYCL_ENTRY int lu_sycl_blocked_prepare(struct job *job)
{
    try {
        job->state = sycl::malloc_device(sizeof(bad_pivot), static_cast<sycl_stream *>(job->stream)->queue);
    } catch (const std::exception &caught) {
        return sycl_fail(job, "malloc_device", caught);
    }
    if (!job->state)
        return job_fail(job, "no device memory for the report of bad pivots");
    if (clear(job) == 0)
        return 0;
    lu_sycl_blocked_release(job);
    return -1;
}

SYCL_ENTRY_BY_FLOAT(lu_sycl_blocked)

SYCL_ENTRY int lu_sycl_blocked_check(struct job *job)
{
    bad_pivot found;
    auto &stream = *static_cast<sycl_stream *>(job->stream);
    try {
        stream.queue.memcpy(&found, job->state, sizeof found).wait();
    } catch (const std::exception &caught) {
        return sycl_fail(job, "the report of bad pivots", caught);
    }
    if (found.step < 0)
        return 0;
    return clear(job) == 0 ? pivot_fail(job, found.step, found.pivot) : -1;
}

#else

static const char *reject(const struct cell *cell)
{
    return sycl_tile_reason(cell, SYCL_LIST(TILES));
}

/* The largest of the groups. */
static struct geometry geometry(const struct cell *cell)
{
    const int64_t tile = cell->tile, blocks = (cell->n + tile - 1) / tile;
    const bool wide = tile * tile < LINES;
    return (struct geometry){.blocks_x = blocks,
                             .blocks_y = blocks,
                             .threads_x = wide ? LINES : (int)tile,
                             .threads_y = wide ? 1 : (int)tile,
                             .passes = blocks};
}

static int64_t local_bytes(const struct cell *cell)
{
    return 2 * cell->tile * cell->tile * cell_element_bytes(cell);
}

static const struct sycl_groups groups = {geometry, local_bytes};

VARIANT(lu, sycl_blocked) = {
    .summary = "right-looking by blocks of columns, the trailing update by tiles in local memory",
    .summary_ru = "по блокам столбцов, остаток матрицы обновляется тайлами в локальной памяти",
    .source = "feup",
    .precisions = FLOATS,
    .axes = HONOURS(tile) | HONOURS(memory),
    .defaults = {.tile = 16, .memory = MEMORY_USM},
    .kernel = &groups,
    .unmodelled = "its accesses differ from step to step",
    .typical_gflops = 5,
    .reject = reject,
};

#endif
