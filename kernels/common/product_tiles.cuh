/* What CUDA kernels of products share whose thread blocks copy tiles asynchronously: which tile of C a block owns, and
 * the copy of a tile to shared memory. For the device part of a kernel file.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COMMON_PRODUCT_TILES_CUH
#define TILELAB_COMMON_PRODUCT_TILES_CUH

#include "copy_async.cuh"

#include <stdint.h>

struct product_tile {
    int64_t m, n; /* numbers of the tile along the rows and along the columns of C */
};

/* The tile of C that a block owns in a grid of tiles_m * tiles_n blocks along x. Blocks start in the order of their
 * numbers. Neighbours in this order share rows of A or columns of B, so that the L2 cache serves most of their reads:
 * the order walks along n in bands of BAND tiles. */
static __device__ inline product_tile product_tile_of_block(int64_t tiles_m, int64_t tiles_n)
{
    enum { BAND = 8 };
    const int64_t in_band = BAND * tiles_n, first = blockIdx.x / in_band * BAND, left = tiles_m - first;
    const int64_t band = left < BAND ? left : BAND, at = blockIdx.x % in_band;
    return {first + at % band, at / band};
}

static inline int64_t product_tiles(int64_t size, int64_t tile)
{
    return (size + tile - 1) / tile;
}

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
