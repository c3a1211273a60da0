/* What GPUs do with the elements of a part of a distributed matrix: they generate, multiply and hash them.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_TEAM_GPUS_ELEMENTS_CUH
#define TILELAB_TEAM_GPUS_ELEMENTS_CUH

#include "team_variant.h"
#include "base/random.h"

enum { GPUS_THREADS = 256, GPUS_BLOCKS = 2048, GPUS_COLUMNS = 512 };

struct gpus_block {
    void *data;
    int64_t rows, cols, ld, block_rows, block_cols, all_cols;
    int grid_row, grid_rows, grid_col, grid_cols;
};

static struct gpus_block gpus_block_of(const struct team_matrix *matrix, const struct team_part *part)
{
    return {part->data,   part->rows,     part->cols,        part->ld,       matrix->block_rows, matrix->block_cols,
            matrix->cols, part->grid_row, matrix->grid_rows, part->grid_col, matrix->grid_cols};
}

static __device__ int64_t gpus_index_of(int64_t local, int64_t block, int part, int parts)
{
    return (local / block * parts + part) * block + local % block;
}

static __device__ int64_t gpus_row_of(const struct gpus_block &b, int64_t local)
{
    return gpus_index_of(local, b.block_rows, b.grid_row, b.grid_rows);
}

static __device__ int64_t gpus_col_of(const struct gpus_block &b, int64_t local)
{
    return gpus_index_of(local, b.block_cols, b.grid_col, b.grid_cols);
}

template <typename real>
static __device__ real gpus_input(const struct gpus_block &b, struct team_inputs in, int64_t row, int64_t col)
{
    const uint64_t counter = (uint64_t)(row * b.all_cols + col);
    if (in.kind == TEAM_INTEGERS)
        return (real)random_integer(in.key, counter, in.low, in.values);
    const double uniform = random_uniform(in.key, counter);
    return (real)(in.kind == TEAM_UNIFORM ? uniform : 25 * (uniform + 1));
}

template <typename real> __global__ void gpus_fill(struct gpus_block b, struct team_inputs in)
{
    for (int64_t j = blockIdx.y; j < b.cols; j += gridDim.y) {
        const int64_t col = gpus_col_of(b, j);
        for (int64_t i = (int64_t)blockIdx.x * GPUS_THREADS + threadIdx.x; i < b.rows;
             i += (int64_t)gridDim.x * GPUS_THREADS)
            ((real *)b.data)[j * b.ld + i] = gpus_input<real>(b, in, gpus_row_of(b, i), col);
    }
}

/* The diagonal of a dominant matrix, in the order of the sums that the host takes. */
template <typename real> __global__ void gpus_fill_diagonal(struct gpus_block b, struct team_inputs in)
{
    const int64_t j = (int64_t)blockIdx.x * GPUS_THREADS + threadIdx.x;
    if (j >= b.cols)
        return;
    const int64_t row = gpus_col_of(b, j), block = row / b.block_rows;
    if (block % b.grid_rows != b.grid_row)
        return;
    const int64_t i = block / b.grid_rows * b.block_rows + row % b.block_rows;
    if (i >= b.rows)
        return;
    double sum = 1;
    for (int64_t col = 0; col < b.all_cols; col++)
        sum += col == row ? 0 : fabs((double)gpus_input<real>(b, in, row, col));
    ((real *)b.data)[j * b.ld + i] = (real)sum;
}

/* y (of the part's rows) += A x, for columns of one slice; x has an element for each column of the whole matrix. */
template <typename real>
__global__ void gpus_multiply(struct gpus_block b, bool magnitudes, int triangle, const double *x, double *y)
{
    const int64_t i = (int64_t)blockIdx.x * GPUS_THREADS + threadIdx.x;
    if (i >= b.rows)
        return;
    const int64_t row = gpus_row_of(b, i);
    const int64_t from = (int64_t)blockIdx.y * GPUS_COLUMNS,
                  to = from + GPUS_COLUMNS < b.cols ? from + GPUS_COLUMNS : b.cols;
    double sum = 0;
    for (int64_t j = from; j < to; j++) {
        const int64_t col = gpus_col_of(b, j);
        const double value = (double)((const real *)b.data)[j * b.ld + i];
        const bool counts = triangle == TEAM_ALL || (triangle == TEAM_LOWER ? row >= col : row > col);
        if (counts)
            sum += (magnitudes ? fabs(value) : value) * x[col];
    }
    atomicAdd(&y[i], sum);
}

/* The sum over a block of threads; the first thread gets it. */
static __device__ double gpus_block_sum(double value)
{
    __shared__ double of_warp[GPUS_THREADS / 32];
    for (int offset = 16; offset > 0; offset /= 2)
        value += __shfl_down_sync(0xffffffffu, value, offset);
    __syncthreads(); /* the sums of the last call have been read */
    if (threadIdx.x % 32 == 0)
        of_warp[threadIdx.x / 32] = value;
    __syncthreads(); /* all warps have written their sums */
    double sum = 0;
    for (int warp = 0; warp < GPUS_THREADS / 32; warp++)
        sum += of_warp[warp];
    return sum;
}

/* y (of the part's columns) += A^T x; x has an element for each row of the whole matrix. */
template <typename real>
__global__ void gpus_multiply_transposed(struct gpus_block b, bool magnitudes, int triangle, const double *x, double *y)
{
    for (int64_t j = blockIdx.x; j < b.cols; j += gridDim.x) {
        const int64_t col = gpus_col_of(b, j);
        double sum = 0;
        for (int64_t i = threadIdx.x; i < b.rows; i += GPUS_THREADS) {
            const int64_t row = gpus_row_of(b, i);
            const double value = (double)((const real *)b.data)[j * b.ld + i];
            if (triangle == TEAM_ALL || (triangle == TEAM_LOWER ? row >= col : row > col))
                sum += (magnitudes ? fabs(value) : value) * x[row];
        }
        sum = gpus_block_sum(sum);
        if (threadIdx.x == 0)
            y[j] += sum;
    }
}

template <typename real> __global__ void gpus_digest(struct gpus_block b, unsigned long long *digest, double *norm2)
{
    unsigned long long hash = 0;
    double squares = 0;
    for (int64_t j = blockIdx.y; j < b.cols; j += gridDim.y) {
        const int64_t col = gpus_col_of(b, j);
        for (int64_t i = (int64_t)blockIdx.x * GPUS_THREADS + threadIdx.x; i < b.rows;
             i += (int64_t)gridDim.x * GPUS_THREADS) {
            const double value = (double)((const real *)b.data)[j * b.ld + i];
            const uint64_t at = (uint64_t)(gpus_row_of(b, i) * b.all_cols + col);
            hash += random_mix(random_mix(at + 1) ^ (uint64_t)__double_as_longlong(value));
            squares += value * value;
        }
    }
    atomicAdd(digest, hash);
    squares = gpus_block_sum(squares);
    if (threadIdx.x == 0)
        atomicAdd(norm2, squares);
}

#endif
