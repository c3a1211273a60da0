/* C = A B by square tiles in local memory, on copies of A and B that zeros pad to multiples of the tile.
 * A (m x k), B (k x n) and C (m x n) are row-major; any shape.
 * The time includes the copies of A and B into the padded memory, and of C out of it; the zeros are written beforehand.
 * Differs from opencl-tiled: the kernel guards no load and no store.
 * Source: opencl-notes.
 * SPDX-License-Identifier: MIT */
#ifdef __OPENCL_VERSION__

KERNEL void matmul_padded(long m, long n, long k, __global const REAL *restrict a, __global const REAL *restrict b,
                          __global REAL *restrict c)
{
    __local REAL a_tile[TILE][TILE], b_tile[TILE][TILE];
    const int y = get_local_id(1), x = get_local_id(0);
    const long row = get_global_id(1), col = get_global_id(0);
    REAL sum = 0;
    for (long first = 0; first < k; first += TILE) {
        a_tile[y][x] = a[row * k + first + x];
        b_tile[y][x] = b[(first + y) * n + col];
        barrier(CLK_LOCAL_MEM_FENCE); /* both tiles are complete before any work item reads them */
        for (int l = 0; l < TILE; l++)
            sum += a_tile[y][l] * b_tile[l][x];
        barrier(CLK_LOCAL_MEM_FENCE); /* all have read the tiles before the next pass overwrites them */
    }
    c[row * n + col] = sum;
}

#else
#include "opencl_variant.h"
#include "common/smem_tiles.h"

#include <stdlib.h>

static const struct opencl_kernel kernel = {"matmul_padded", smem_geometry, smem_two_tiles_bytes};

/* The cell whose sizes are padded: its kernel reads and writes the padding too. */
static struct cell padded(const struct cell *cell)
{
    struct cell to = *cell;
    to.m = (cell->m + cell->tile - 1) / cell->tile * cell->tile;
    to.n = (cell->n + cell->tile - 1) / cell->tile * cell->tile;
    to.k = (cell->k + cell->tile - 1) / cell->tile * cell->tile;
    return to;
}

/* a[row][first + x], b[first + y][col] and c[row][col], in rows of the padded sizes */
static int64_t load_a(const struct execution *at, int x, int y)
{
    const struct cell cell = padded(at->cell);
    return smem_global(&cell, cell.m, cell.k, at->block_y * cell.tile + y, at->pass * cell.tile + x);
}

static int64_t load_b(const struct execution *at, int x, int y)
{
    const struct cell cell = padded(at->cell);
    return smem_global(&cell, cell.k, cell.n, at->pass * cell.tile + y, at->block_x * cell.tile + x);
}

static int64_t store_c(const struct execution *at, int x, int y)
{
    const struct cell cell = padded(at->cell);
    return smem_global(&cell, cell.m, cell.n, at->block_y * cell.tile + y, at->block_x * cell.tile + x);
}

static const struct access sites[] = {
    {"load for a_tile", SPACE_GLOBAL, DIRECTION_LOAD, .width = smem_element_width, .offset = load_a},
    {"load for b_tile", SPACE_GLOBAL, DIRECTION_LOAD, .width = smem_element_width, .offset = load_b},
    {"store to a_tile", SPACE_SHARED, DIRECTION_STORE, .width = smem_element_width, .offset = smem_store_a_tile},
    {"store to b_tile", SPACE_SHARED, DIRECTION_STORE, .width = smem_element_width, .offset = smem_store_b_tile},
    {"read of a_tile", SPACE_SHARED, DIRECTION_LOAD, .width = smem_row_width, .steps = smem_row_steps,
     .offset = smem_read_a_tile},
    {"read of b_tile", SPACE_SHARED, DIRECTION_LOAD, .width = smem_element_width, .steps = smem_element_steps,
     .offset = smem_read_b_tile},
    {"store of C", SPACE_GLOBAL, DIRECTION_STORE, .once = true, .width = smem_element_width, .offset = store_c},
    {0},
};

static const struct accesses accesses = {smem_geometry, smem_two_tiles_bytes, sites};

static void release(struct job *job)
{
    void **memory = job->state;
    for (int i = 0; i < 3; i++)
        if (memory[i])
            job->opencl->release(memory[i]);
    free(memory);
}

static int prepare(struct job *job)
{
    const struct cell cell = padded(job->cell);
    const int64_t elements[] = {cell.m * cell.k, cell.k * cell.n, cell.m * cell.n};
    void **memory = job->state = calloc(3, sizeof *memory);
    if (!memory)
        return job_fail(job, "no memory to prepare");
    for (int i = 0; i < 3; i++)
        if (!(memory[i] = job->opencl->allocate(job, (size_t)(elements[i] * cell_element_bytes(&cell))))) {
            release(job);
            return -1;
        }
    return 0;
}

static int run(struct job *job)
{
    const struct cell *cell = job->cell, to = padded(cell);
    const struct opencl *opencl = job->opencl;
    const size_t element = (size_t)cell_element_bytes(cell), k = (size_t)cell->k * element,
                 n = (size_t)cell->n * element, padded_k = (size_t)to.k * element, padded_n = (size_t)to.n * element;
    const int64_t sizes[] = {to.m, to.n, to.k};
    void **memory = job->state;
    if (opencl->copy_rows(job, memory[0], padded_k, job->operand[0], k, k, (size_t)cell->m) != 0 ||
        opencl->copy_rows(job, memory[1], padded_n, job->operand[1], n, n, (size_t)cell->k) != 0 ||
        opencl->launch(job, sizes, 3, memory, 3) != 0)
        return -1;
    return opencl->copy_rows(job, job->operand[2], n, memory[2], padded_n, n, (size_t)cell->m);
}

VARIANT(matmul, opencl_padded) = {
    .summary = "tiles in local memory, matrices padded with zeros to multiples of the tile",
    .summary_ru = "тайлы в локальной памяти, матрицы дополнены нулями до кратных тайлу размеров",
    .source = "opencl-notes",
    .precisions = ALL_PRECISIONS,
    .axes = HONOURS(tile),
    .defaults = {.tile = 16},
    .unit = UNIT_FMA,
    .accesses = &accesses,
    .kernel = &kernel,
    .typical_gflops = 5,
    .reject = opencl_tile_reason,
    .prepare = prepare,
    .run = run,
    .release = release,
};

#endif
