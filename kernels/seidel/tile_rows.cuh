/* Square tiles that a team of threads holds in registers or shared memory, and their products with a block of x.
 *
 * LANES threads hold two neighbouring rows of a tile: a thread has packs i * LANES + lane of both rows. The sum of a
 * row ends in half of these lanes: the row's threads, of which tile_row() tells the row. For the device part of a
 * kernel file.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_SEIDEL_TILE_ROWS_CUH
#define TILELAB_SEIDEL_TILE_ROWS_CUH

#include "common/solver_device.cuh"

enum {
    TILE = 64,
    LANES = 8,               /* threads that share two rows of a tile */
    TEAM = TILE / 2 * LANES, /* threads that hold a tile */
};

/* A thread's part of a tile. */
template <typename real> struct tile_part {
    enum { COUNT = 16 / sizeof(real), PACKS = TILE / (LANES * COUNT), ROW_PACKS = TILE / COUNT };
    using pack = solver_pack<real, COUNT>;
    pack of[2][PACKS];
};

/* A thread's sums for its two rows, one for each element of a pack. */
template <typename real> struct tile_sums {
    real of[2][tile_part<real>::COUNT];
};

/* The row whose sum a thread gets, and whether the thread is the first of the row. */
static __device__ inline int tile_row()
{
    return threadIdx.x / (LANES / 2);
}

static __device__ inline bool tile_row_first()
{
    return threadIdx.x % (LANES / 2) == 0;
}

/* Waits for all threads of the team, but not for the other warps of the thread block. */
static __device__ inline void tile_barrier()
{
    asm volatile("bar.sync 1, %0;" ::"r"((int)TEAM) : "memory");
}

/* The thread's part of a row-major tile in shared memory. */
template <typename real> static __device__ tile_part<real> tile_load(const real *tile)
{
    using pack = typename tile_part<real>::pack;
    tile_part<real> part;
    const pack *const from = (const pack *)tile + threadIdx.x / LANES * 2 * tile_part<real>::ROW_PACKS;
#pragma unroll
    for (int r = 0; r < 2; r++)
#pragma unroll
        for (int i = 0; i < tile_part<real>::PACKS; i++)
            part.of[r][i] = from[r * tile_part<real>::ROW_PACKS + i * LANES + threadIdx.x % LANES];
    return part;
}

/* Keeps the thread's part in shared memory for itself: packs of the same number lie side by side. */
template <typename real> static __device__ void tile_keep(const tile_part<real> &part, real *memory)
{
#pragma unroll
    for (int r = 0; r < 2; r++)
#pragma unroll
        for (int i = 0; i < tile_part<real>::PACKS; i++)
            ((typename tile_part<real>::pack *)memory)[(r * tile_part<real>::PACKS + i) * TEAM + threadIdx.x] =
                part.of[r][i];
}

template <typename real> static __device__ tile_part<real> tile_kept(const real *memory)
{
    tile_part<real> part;
#pragma unroll
    for (int r = 0; r < 2; r++)
#pragma unroll
        for (int i = 0; i < tile_part<real>::PACKS; i++)
            part.of[r][i] =
                ((const typename tile_part<real>::pack *)memory)[(r * tile_part<real>::PACKS + i) * TEAM + threadIdx.x];
    return part;
}

/* Adds the thread's products of a tile and a block of x. */
template <typename real>
static __device__ void tile_add_products(const tile_part<real> &part, const real *x, tile_sums<real> &sum)
{
    using pack = typename tile_part<real>::pack;
#pragma unroll
    for (int i = 0; i < tile_part<real>::PACKS; i++) {
        const pack of_x = ((const pack *)x)[i * LANES + threadIdx.x % LANES];
#pragma unroll
        for (int e = 0; e < tile_part<real>::COUNT; e++)
#pragma unroll
            for (int r = 0; r < 2; r++)
                sum.of[r][e] += part.of[r][i].element[e] * of_x.element[e];
    }
}

/* The sum of the thread's row, over all threads that have parts of the row. In the first step each thread hands over
 * the sum of the other row. */
template <typename real> static __device__ real tile_row_sum(const tile_sums<real> &sum)
{
    const bool second = tile_row() % 2;
    real row[2] = {sum.of[0][0], sum.of[1][0]};
#pragma unroll
    for (int e = 1; e < tile_part<real>::COUNT; e++)
#pragma unroll
        for (int r = 0; r < 2; r++)
            row[r] += sum.of[r][e];
    const real own = second ? row[1] : row[0], given = second ? row[0] : row[1];
    return solver_group_sum<LANES / 2>(own + __shfl_xor_sync(0xffffffffu, given, LANES / 2));
}

#endif
