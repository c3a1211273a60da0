/* What a thread block does with square tiles of a row-major matrix: it streams them through shared memory, multiplies
 * them by a block of a vector, and inverts a diagonal tile. ROW_THREADS threads share a row of a tile. For the device
 * part of a kernel file; compute capability 8.0.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_SEIDEL_TILE_STREAM_CUH
#define TILELAB_SEIDEL_TILE_STREAM_CUH

#include "common/copy_async.cuh"
#include "common/solver_device.cuh"

#include <stdint.h>

enum {
    ROW_THREADS = 8, /* threads that share a row of a tile */
    STAGES = 5       /* tiles of A in shared memory; all but one are still being copied */
};

template <typename real, int TILE> struct shape {
    enum {
        THREADS = TILE * ROW_THREADS,
        COUNT = 16 / sizeof(real),            /* elements of a pack */
        LOADS = TILE / (ROW_THREADS * COUNT), /* packs of a tile that a thread owns */
        RING_PACKS = STAGES * LOADS * THREADS,
    };
    using pack = solver_pack<real, COUNT>;
    /* A thread's part of a tile: packs i * ROW_THREADS + threadIdx.x % ROW_THREADS of row threadIdx.x / ROW_THREADS. */
    struct part {
        pack of[LOADS];
    };
};

/* The tiles of a thread block's rows in the order of their use. In each sweep block column 0 comes first, from top to
 * bottom, then block column 1, and so on. A thread copies only what it will use itself, so that no barrier is needed.
 * WIDE means that n is a multiple of a pack; a pack is then one copy. */
template <typename real, int TILE, bool WIDE> struct stream {
    using own = shape<real, TILE>;
    typename own::pack *ring;
    const real *a;
    int n, blocks;    /* rows and block columns of A */
    int first, owned; /* the thread block's first row of A, and its number of tiles in a block column */
    int stage;        /* the stage that next() reads */
    int column, row;  /* the tile that fetch() copies next; row 0 is the thread block's first */

    __device__ void fetch(int to)
    {
        enum { STEP = ROW_THREADS * own::COUNT }; /* from one of the thread's packs to the next */
        const int at_row = first + row * TILE + threadIdx.x / ROW_THREADS;
        const int at = column * TILE + threadIdx.x % ROW_THREADS * own::COUNT;
        const int left = at_row < n ? n - at : 0;
        const real *const part = a + (int64_t)at_row * n + at;
#pragma unroll
        for (int i = 0; i < own::LOADS; i++) {
            const int given = max(0, min(left - i * STEP, (int)own::COUNT));
            const real *const from = given > 0 ? part + i * STEP : a;
            real *const slot = ring[(to * own::LOADS + i) * own::THREADS + threadIdx.x].element;
            if constexpr (WIDE) {
                copy_async<16>(slot, from, given * (int)sizeof(real));
            } else {
#pragma unroll
                for (int e = 0; e < own::COUNT; e++)
                    copy_async<sizeof(real)>(slot + e, from + (e < given ? e : 0), e < given ? (int)sizeof(real) : 0);
            }
        }
        copy_async_commit();
        if (++row == owned) {
            row = 0;
            if (++column == blocks)
                column = 0;
        }
    }

    __device__ void begin(const real *matrix, int rows, int block_columns, typename own::pack *memory, int row_of_a,
                          int tiles)
    {
        ring = memory;
        a = matrix;
        n = rows;
        blocks = block_columns;
        first = row_of_a;
        owned = tiles;
        stage = column = row = 0;
        for (int to = 0; to < STAGES - 1; to++)
            fetch(to);
    }

    /* Reads the next tile, and starts the copy of another one into the stage of the tile before. */
    __device__ void next(typename own::part &tile)
    {
        copy_async_wait<STAGES - 2>();
#pragma unroll
        for (int i = 0; i < own::LOADS; i++)
            tile.of[i] = ring[(stage * own::LOADS + i) * own::THREADS + threadIdx.x];
        fetch((stage + STAGES - 1) % STAGES);
        stage = (stage + 1) % STAGES;
    }
};

/* Multiplies row threadIdx.x / ROW_THREADS of a tile by a vector of TILE elements. All its threads get the result. */
template <typename real, int TILE>
static __device__ real times(const typename shape<real, TILE>::part &tile, const typename shape<real, TILE>::part &x)
{
    real sum = 0;
#pragma unroll
    for (int i = 0; i < shape<real, TILE>::LOADS; i++)
#pragma unroll
        for (int e = 0; e < shape<real, TILE>::COUNT; e++)
            sum += tile.of[i].element[e] * x.of[i].element[e];
    return solver_group_sum<ROW_THREADS>(sum);
}

/* Loads a thread's part of a vector of TILE elements. */
template <typename real, int TILE> static __device__ typename shape<real, TILE>::part part_of(const real *vector)
{
    typename shape<real, TILE>::part part;
#pragma unroll
    for (int i = 0; i < shape<real, TILE>::LOADS; i++)
        part.of[i] = ((const typename shape<real, TILE>::pack *)vector)[i * ROW_THREADS + threadIdx.x % ROW_THREADS];
    return part;
}

/* Keeps of a diagonal tile what the next sweep needs: U + (1 - 1/omega) D. */
template <typename real, int TILE> static __device__ void keep_upper(typename shape<real, TILE>::part &tile, real omega)
{
    using own = shape<real, TILE>;
    const int row = threadIdx.x / ROW_THREADS;
#pragma unroll
    for (int i = 0; i < own::LOADS; i++)
#pragma unroll
        for (int e = 0; e < own::COUNT; e++) {
            const int col = (i * ROW_THREADS + threadIdx.x % ROW_THREADS) * own::COUNT + e;
            if (col == row)
                tile.of[i].element[e] *= 1 - 1 / omega;
            else if (col < row)
                tile.of[i].element[e] = 0;
        }
}

/* Inverts the diagonal tile of D/omega + L from row `first` on; rows beyond n are those of the identity. ROW_THREADS
 * threads find a column, row after row. `memory` is shared memory; that of a stream suffices, before its begin(). */
template <typename real, int TILE>
static __device__ void invert(const real *a, int n, double omega, int first, real *memory, real *inverse)
{
    enum { THREADS = shape<real, TILE>::THREADS, PITCH = TILE + 8 /* avoids bank conflicts */ };
    real *const lower = memory, *const columns = memory + TILE * TILE;
    for (int i = threadIdx.x; i < TILE * TILE; i += THREADS) {
        const int row = first + i / TILE, col = first + i % TILE;
        const real value = row < n && col < n ? a[(int64_t)row * n + col] : real(0);
        lower[i] = row != col ? value : row < n ? (real)omega / value : real(1);
    }
    __syncthreads(); /* the tile is in shared memory, with its diagonal inverted, before anyone reads it */
    const int col = threadIdx.x / ROW_THREADS, lane = threadIdx.x % ROW_THREADS;
    real *const column = columns + col * PITCH;
    for (int row = 0; row < TILE; row++) {
        real sum = 0;
        for (int l = lane; l < row; l += ROW_THREADS)
            sum += lower[row * TILE + l] * column[l];
        sum = solver_group_sum<ROW_THREADS>(sum);
        if (lane == row % ROW_THREADS)
            column[row] = row < col ? real(0) : (real(row == col) - sum) * lower[row * TILE + row];
        __syncwarp(); /* one lane has written the element before the other lanes of the column read it */
    }
    __syncthreads(); /* all columns are complete before anyone reads them by rows */
    for (int i = threadIdx.x; i < TILE * TILE; i += THREADS)
        inverse[i] = columns[i % TILE * PITCH + i / TILE];
    __syncthreads(); /* everyone has read `memory` before it is reused, and written `inverse` before anyone reads it */
}

#endif
