/* The plain product in CUDA that variants of the corpus launch, and the frame of their files.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_TESTS_CHEATS_PRODUCT_CUH
#define TILELAB_TESTS_CHEATS_PRODUCT_CUH

#include "cuda_variant.cuh"

#ifndef __CUDACC__

/* The description of a variant of the product, as the C compiler sees the file. */
#define CHEAT(file, text) \
    VARIANT(matmul, file) = {.summary = text, .source = "tilelab", .precisions = BIT(F64), .typical_gflops = 5000}

#else

/* C = A B with one thread for each element of C. */
static __global__ void multiply(int64_t m, int64_t n, int64_t k, const double *a, const double *b, double *c)
{
    const int64_t row = (int64_t)blockIdx.y * blockDim.y + threadIdx.y;
    const int64_t col = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m || col >= n)
        return;
    double sum = 0;
    for (int64_t l = 0; l < k; l++)
        sum += a[row * k + l] * b[l * n + col];
    c[row * n + col] = sum;
}

enum { TILE = 16 };
static inline dim3 block_of(const struct job *job)
{
    (void)job;
    return dim3(TILE, TILE);
}
static inline dim3 grid_of(const struct job *job)
{
    return dim3((unsigned)((job->cell->n + TILE - 1) / TILE), (unsigned)((job->cell->m + TILE - 1) / TILE));
}

/* The arguments of the kernel. */
#define ARGUMENTS(job) \
    (job)->cell->m, (job)->cell->n, (job)->cell->k, (const double *)(job)->operand[0], \
        (const double *)(job)->operand[1], (double *)(job)->operand[2]

static inline size_t c_bytes(const struct job *job)
{
    return (size_t)(job->cell->m * job->cell->n) * sizeof(double);
}

#endif
#endif
