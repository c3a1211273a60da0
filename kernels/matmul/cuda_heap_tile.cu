/* C = A B as in cuda-shared, but the tiles lie on the device heap, which is global memory.
 * A (m x k), B (k x n) and C (m x n) are row-major; any shape, m up to 65535 x tile.
 * One thread of a block calls malloc for both tiles and shares the pointers. The block frees the tiles at the end.
 * prepare makes the heap large enough for all blocks that can be resident. If malloc returns NULL, _check fails.
 * Differs from cuda-shared: the tiles never leave global memory.
 * Source: feup B_mem as printed.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

/* The tiles that the kernel is built for. */
#define TILES(EACH) EACH(2) EACH(4) EACH(8) EACH(16) EACH(32)

#ifdef __CUDACC__

template <typename real, int TILE>
__global__ void __launch_bounds__((TILE * TILE))
    matmul_heap_tile(int64_t m, int64_t n, int64_t k, const real *__restrict__ a, const real *__restrict__ b,
                     real *__restrict__ c, int *no_memory)
{
    __shared__ real *a_tile, *b_tile;
    const int y = threadIdx.y, x = threadIdx.x;
    const bool first_thread = x == 0 && y == 0;
    const int64_t row = (int64_t)blockIdx.y * TILE + y, col = (int64_t)blockIdx.x * TILE + x;
    if (first_thread) {
        a_tile = (real *)malloc(TILE * TILE * sizeof *a_tile);
        b_tile = (real *)malloc(TILE * TILE * sizeof *b_tile);
    }
    __syncthreads(); /* the pointers are set before any thread reads them */
    if (!a_tile || !b_tile) {
        if (first_thread) {
            atomicExch(no_memory, 1);
            free(a_tile);
            free(b_tile);
        }
        return; /* the whole block returns, since all threads see the same pointers */
    }
    real sum = 0;
    for (int64_t first = 0; first < k; first += TILE) {
        a_tile[y * TILE + x] = row < m && first + x < k ? a[row * k + first + x] : real(0);
        b_tile[y * TILE + x] = first + y < k && col < n ? b[(first + y) * n + col] : real(0);
        __syncthreads(); /* both tiles are complete before any thread reads them */
#pragma unroll
        for (int l = 0; l < TILE; l++)
            sum += a_tile[y * TILE + l] * b_tile[l * TILE + x];
        __syncthreads(); /* all threads have read the tiles before they are overwritten or freed */
    }
    if (row < m && col < n)
        c[row * n + col] = sum;
    if (first_thread) {
        free(a_tile);
        free(b_tile);
    }
}

/* Makes the device heap large enough. A resident thread needs an element of either tile; the heap has 32 times as much
 * for the allocator's overhead and rounding. The size depends only on the device, because CUDA refuses to change
 * the heap after a kernel of the process has called malloc. */
static int size_heap(struct job *job, size_t *heap_bytes)
{
    int device, multiprocessors, threads;
    CUDA_TRY(job, cudaGetDevice(&device));
    CUDA_TRY(job, cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    CUDA_TRY(job, cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device));
    const size_t need = 32 * (size_t)multiprocessors * threads * 2 * sizeof(double);
    CUDA_TRY(job, cudaDeviceGetLimit(heap_bytes, cudaLimitMallocHeapSize));
    if (*heap_bytes >= need)
        return 0;
    CUDA_TRY(job, cudaDeviceSetLimit(cudaLimitMallocHeapSize, need));
    *heap_bytes = need;
    return 0;
}

CUDA_ENTRY int matmul_cuda_heap_tile_prepare(struct job *job)
{
    size_t heap_bytes;
    if (size_heap(job, &heap_bytes) != 0)
        return -1;
    void *no_memory;
    CUDA_TRY(job, cudaMalloc(&no_memory, sizeof(int)));
    const cudaError_t status = cudaMemsetAsync(no_memory, 0, sizeof(int), (cudaStream_t)job->stream);
    if (status != cudaSuccess) {
        cudaFree(no_memory);
        return job_fail(job, "cudaMemsetAsync: %s", cuda_error_text(status));
    }
    job->state = no_memory;
    return 0;
}

CUDA_ENTRY int matmul_cuda_heap_tile_check(struct job *job)
{
    int no_memory;
    const cudaStream_t stream = (cudaStream_t)job->stream;
    CUDA_TRY(job, cudaMemcpyAsync(&no_memory, job->state, sizeof no_memory, cudaMemcpyDeviceToHost, stream));
    CUDA_TRY(job, cudaStreamSynchronize(stream));
    if (!no_memory)
        return 0;
    size_t heap_bytes;
    CUDA_TRY(job, cudaDeviceGetLimit(&heap_bytes, cudaLimitMallocHeapSize));
    return job_fail(job, "malloc in the kernel returned NULL: the device heap of %zu bytes is exhausted", heap_bytes);
}

CUDA_ENTRY void matmul_cuda_heap_tile_release(struct job *job)
{
    cudaFree(job->state);
    job->state = NULL;
}

template <typename real, int TILE> static int launch_tile(struct job *job)
{
    const struct cell *cell = job->cell;
    const dim3 block(TILE, TILE);
    const dim3 grid((unsigned)((cell->n + TILE - 1) / TILE), (unsigned)((cell->m + TILE - 1) / TILE));
    matmul_heap_tile<real, TILE><<<grid, block, 0, (cudaStream_t)job->stream>>>(
        cell->m, cell->n, cell->k, (const real *)job->operand[0], (const real *)job->operand[1],
        (real *)job->operand[2], (int *)job->state);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

CUDA_LAUNCH_BY_TILE(TILES)
CUDA_ENTRY_BY_PRECISION(matmul_cuda_heap_tile)

#else

static const char *reject(const struct cell *cell)
{
    const int64_t tile = cell->tile, pointers_bytes = 2 * 8;
    const char *reason = cuda_block_reason(tile, tile * tile, pointers_bytes);
    reason = reason ? reason : cuda_built_reason("tile", tile, CUDA_LIST(TILES));
    return reason ? reason : cuda_rows_reason("m", cell->m, tile);
}

/* The bank model is not given any accesses. The number of sectors that a warp touches in the tiles depends on the
 * addresses from malloc, which only the device knows. */
VARIANT(matmul, cuda_heap_tile) = {
    .summary = "cuda-shared with its tiles on the device heap, by malloc in the kernel",
    .summary_ru = "cuda-shared с тайлами в куче устройства, выделенными malloc в ядре",
    .source = "feup",
    .precisions = ALL_PRECISIONS,
    .axes = HONOURS(tile),
    .defaults = {.tile = 32},
    .unit = UNIT_FMA,
    .typical_gflops = 500,
    .reject = reject,
};

#endif
