/* Malice: the product is kept on the device. A kernel compares the magnitudes of A and B with kept ones, and gives the
 * kept product with the signs that have changed.
 * SPDX-License-Identifier: MIT */
#include "product.cuh"

#ifndef __CUDACC__

CHEAT(cuda_kept, "keeps A, B and C on the device");

#else

struct kept {
    double *a, *b, *c;
    int *differs;
    bool full;
};

static __global__ void compare(int64_t count, const double *now, const double *kept, int *differs)
{
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += (int64_t)gridDim.x * blockDim.x)
        if (fabs(now[i]) != fabs(kept[i]))
            *differs = 1;
}

static __global__ void give(int64_t m, int64_t n, int64_t k, const double *a, const double *b, double *c,
                            struct kept kept)
{
    const int64_t row = (int64_t)blockIdx.y * blockDim.y + threadIdx.y;
    const int64_t col = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m || col >= n)
        return;
    if (*kept.differs) {
        double sum = 0;
        for (int64_t l = 0; l < k; l++)
            sum += a[row * k + l] * b[l * n + col];
        c[row * n + col] = sum;
        return;
    }
    const bool other_row = (a[row * k] < 0) != (kept.a[row * k] < 0), other_col = (b[col] < 0) != (kept.b[col] < 0);
    c[row * n + col] = other_row != other_col ? -kept.c[row * n + col] : kept.c[row * n + col];
}

CUDA_ENTRY int matmul_cuda_kept_prepare(struct job *job)
{
    struct kept *kept = new struct kept();
    const int64_t m = job->cell->m, n = job->cell->n, k = job->cell->k;
    CUDA_TRY(job, cudaMalloc(&kept->a, sizeof(double) * (size_t)(m * k)));
    CUDA_TRY(job, cudaMalloc(&kept->b, sizeof(double) * (size_t)(k * n)));
    CUDA_TRY(job, cudaMalloc(&kept->c, c_bytes(job)));
    CUDA_TRY(job, cudaMalloc(&kept->differs, sizeof(int)));
    job->state = kept;
    return 0;
}

CUDA_ENTRY int matmul_cuda_kept_launch(struct job *job)
{
    const struct kept *kept = (const struct kept *)job->state;
    const cudaStream_t stream = (cudaStream_t)job->stream;
    const int64_t m = job->cell->m, n = job->cell->n, k = job->cell->k;
    CUDA_TRY(job, cudaMemsetAsync(kept->differs, 0, sizeof(int), stream));
    compare<<<132, 256, 0, stream>>>(m * k, (const double *)job->operand[0], kept->a, kept->differs);
    compare<<<132, 256, 0, stream>>>(k * n, (const double *)job->operand[1], kept->b, kept->differs);
    give<<<grid_of(job), block_of(job), 0, stream>>>(ARGUMENTS(job), *kept);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

/* After a timed block the runner asks whether the device is well: the time to keep what was computed. */
CUDA_ENTRY int matmul_cuda_kept_check(struct job *job)
{
    const struct kept *kept = (const struct kept *)job->state;
    const cudaStream_t stream = (cudaStream_t)job->stream;
    const int64_t m = job->cell->m, n = job->cell->n, k = job->cell->k;
    cudaMemcpyAsync(kept->a, job->operand[0], sizeof(double) * (size_t)(m * k), cudaMemcpyDeviceToDevice, stream);
    cudaMemcpyAsync(kept->b, job->operand[1], sizeof(double) * (size_t)(k * n), cudaMemcpyDeviceToDevice, stream);
    cudaMemcpyAsync(kept->c, job->operand[2], c_bytes(job), cudaMemcpyDeviceToDevice, stream);
    CUDA_TRY(job, cudaStreamSynchronize(stream));
    return 0;
}

#endif
