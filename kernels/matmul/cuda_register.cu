/* C = A B by shared-memory tiles of A and B, with an 8 x 8 tile of C in the registers of each thread.
 * A (m x k), B (k x n) and C (m x n) are row-major; any shape, m up to 65535 x 128; zeros stand for elements outside.
 * A block of 16 x 16 threads owns 128 x 128 elements of C; thread (x, y) owns their rows y + 16 i and columns x + 16 j.
 * In each pass along k, the block loads 128 x 8 elements of A and 8 x 128 of B, four of each a thread.
 * Differs from cuda-shared-x4: a thread uses each element that it reads for eight products, those of A and those of B.
 * Source: tilelab.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

/* Elements of C of a block along m and n, and elements of k in a pass. */
enum { M = 128, N = 128, K = 8 };

#ifndef __CUDACC__

static const char *reject(const struct cell *cell)
{
    return cuda_rows_reason("m", cell->m, M);
}

VARIANT(matmul, cuda_register) = {
    .summary = "tiles of C in registers, 8 x 8 elements for each thread",
    .source = "tilelab",
    .precisions = ALL_PRECISIONS,
    .unit = UNIT_FMA,
    .typical_gflops = 25000,
    .reject = reject,
};

#else

enum { SIDE = 16, ROWS = M / SIDE, COLS = N / SIDE, THREADS = SIDE * SIDE };

template <typename real>
__global__ void __launch_bounds__(THREADS, 8 / sizeof(real))
    matmul_register(int64_t m, int64_t n, int64_t k, const real *__restrict__ a, const real *__restrict__ b,
                    real *__restrict__ c)
{
    __shared__ real a_tile[M][K], b_tile[K][N];
    const int thread = threadIdx.x, x = thread % SIDE, y = thread / SIDE;
    const int64_t first_row = (int64_t)blockIdx.y * M, first_col = (int64_t)blockIdx.x * N;
    real sum[ROWS][COLS] = {};
    for (int64_t first = 0; first < k; first += K) {
#pragma unroll
        for (int part = 0; part < M * K; part += THREADS) {
            const int e = part + thread;
            const int64_t row = first_row + e / K, l = first + e % K;
            a_tile[e / K][e % K] = row < m && l < k ? a[row * k + l] : real(0);
        }
#pragma unroll
        for (int part = 0; part < K * N; part += THREADS) {
            const int e = part + thread;
            const int64_t l = first + e / N, col = first_col + e % N;
            b_tile[e / N][e % N] = l < k && col < n ? b[l * n + col] : real(0);
        }
        __syncthreads(); /* both tiles are complete before any thread reads them */
#pragma unroll
        for (int l = 0; l < K; l++) {
            real left[ROWS], right[COLS];
#pragma unroll
            for (int i = 0; i < ROWS; i++)
                left[i] = a_tile[y + i * SIDE][l];
#pragma unroll
            for (int j = 0; j < COLS; j++)
                right[j] = b_tile[l][x + j * SIDE];
#pragma unroll
            for (int i = 0; i < ROWS; i++)
#pragma unroll
                for (int j = 0; j < COLS; j++)
                    sum[i][j] += left[i] * right[j];
        }
        __syncthreads(); /* all threads have read the tiles before the next pass overwrites them */
    }
#pragma unroll
    for (int i = 0; i < ROWS; i++)
#pragma unroll
        for (int j = 0; j < COLS; j++) {
            const int64_t row = first_row + y + i * SIDE, col = first_col + x + j * SIDE;
            if (row < m && col < n)
                c[row * n + col] = sum[i][j];
        }
}

template <typename real> static int launch(struct job *job)
{
    const struct cell *cell = job->cell;
    const dim3 grid((unsigned)((cell->n + N - 1) / N), (unsigned)((cell->m + M - 1) / M));
    matmul_register<real>
        <<<grid, THREADS, 0, (cudaStream_t)job->stream>>>(cell->m, cell->n, cell->k, (const real *)job->operand[0],
                                                          (const real *)job->operand[1], (real *)job->operand[2]);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

CUDA_ENTRY int matmul_cuda_register_launch(struct job *job)
{
    CUDA_BY_PRECISION(job, launch);
}

#endif
