/* The trailing update C -= L U. C is what lies to the right of a block of columns and below it.
 * SPDX-License-Identifier: MIT
 *
 * Matrices are column-major. The code works on their transposes, which are row-major: C' (m x n) -= U' (m x k) L'
 * (k x n), where C has m columns and n rows; k is a multiple of the tile's BK, and m and n are any. A thread block owns
 * a tile of C' and reads it last. Until then it only asks for the tile, so that memory delivers it while the tensor
 * cores multiply: f64 directly, and f32 as three TF32 products. */
#ifndef TILELAB_LU_TRAILING_CUH
#define TILELAB_LU_TRAILING_CUH

#include "tensor_product.cuh"

template <typename real> struct trailing_task {
    const real *u, *l; /* U' and L' */
    real *c;
    int64_t ld;
    int m, n, k;
};

/* Large tiles read less memory; small tiles keep all multiprocessors busy with less work. A warp owns a part of 64 x 32
 * or 32 x 32. A multiprocessor holds one thread block of a large tile or two of a small one. */
template <typename real> using trailing_large = block_tile<real, 128, 128, 2, 4>;
template <typename real> using trailing_small = block_tile<real, 64, 64, 2, 2>;

template <typename tile, bool WIDE>
__global__ void __launch_bounds__(tile::THREADS, 256 / tile::THREADS)
    lu_pivot_update(trailing_task<typename tile::real> task)
{
    typedef typename tile::real real;
    extern __shared__ __align__(16) unsigned char ring[];
    const product_tile own =
        product_tile_of_block((task.m + tile::BM - 1) / tile::BM, (task.n + tile::BN - 1) / tile::BN);
    const int64_t first_m = own.m * tile::BM, first_n = own.n * tile::BN;
    const int rows = (int)(task.m - first_m), cols = (int)(task.n - first_n);
    real *const c = task.c + first_m * task.ld + first_n;
    block_product<tile, WIDE> product((real *)ring, task.u + first_m * task.ld, task.l + first_n, task.ld, rows, cols,
                                      task.k);
    product.start();
    block_sums<tile> sums;
    sums.prefetch(c, task.ld, rows, cols);
    sums.clear();
    product.run(sums.sum);
    sums.template subtract_from<WIDE>(c, task.ld, rows, cols);
}

#endif
