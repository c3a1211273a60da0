/* P A = L U in place with partial pivoting; one cluster of thread blocks factors a block of columns.
 * A (n x n) is column-major and contiguous; pivots count from 1, as in LAPACK; n is at most 65536.
 * A cluster of up to 16 thread blocks factors the next block of columns (panel.cuh). Meanwhile others apply a band of
 * up to four blocks: they exchange rows and find U to its right (exchanges.cuh), then C -= L U on tensor cores
 * (trailing.cuh). Rows of L are exchanged at the end (left_exchanges.cuh). The check after the runs reports a pivot
 * that is 0 or NaN.
 * Differs from cuda-blocked: pivots, look-ahead, tensor cores. Source: tilelab, after LAPACK's getrf.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifdef __CUDACC__

#include "pivot_bands.cuh"

#include <vector>

/* --- The order of work --- */

/* Waits until a cluster has begun the block. Only then may the update fill the multiprocessors, or the cluster would
 * find no room. */
__global__ void lu_pivot_wait(const int *started, int block)
{
    while (*(const volatile int *)started < block)
        __nanosleep(100);
}

/* Factors a block on the stream `ahead`, after all work that the job's stream holds now. */
template <typename real> static int start_block(struct job *job, const block_task<real> &task)
{
    const state *state = (const struct state *)job->state;
    CUDA_TRY(job, cudaEventRecord(state->ready, (cudaStream_t)job->stream));
    CUDA_TRY(job, cudaStreamWaitEvent(state->ahead, state->ready, 0));
    if (factor(job, state->ahead, task) != 0)
        return -1;
    const compose_task compose = {task.moves, state->of_blocks,
                                  task.n,     task.first,
                                  task.width, panel_width<real>(task.n - task.first, state->cluster_most)};
    lu_pivot_compose<<<1, COMPOSE_THREADS, compose_shared_bytes(task.n), state->ahead>>>(compose);
    CUDA_TRY(job, cudaGetLastError());
    CUDA_TRY(job, cudaEventRecord(state->factored, state->ahead));
    lu_pivot_wait<<<1, 1, 0, (cudaStream_t)job->stream>>>(state->started, task.first);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

/* Applies a band to the rest, a share of it while each block of the next band is being factored. */
template <typename real>
static int take_band(struct job *job, const block_task<real> &of, const band &done, const band &next)
{
    const state *state = (const struct state *)job->state;
    const int n = of.n, soon = LOOK_AHEAD ? next.width : n - next.first;
    if (apply_band(job, of, done, columns{next.first, soon}) != 0)
        return -1;
    const int share = (int)round_up((n - next.first - soon) / (next.width / next.block), SOLVE_STRIPE);
    int begin = next.first + soon;
    block_task<real> block = of;
    block.begin = next.first;
    block.width = next.block;
    for (block.first = next.first; block.first < next.first + next.width; block.first += next.block) {
        if (start_block(job, block) != 0)
            return -1;
        const int after = block.first + block.width, left = next.first + next.width - after;
        const int count = left > 0 ? at_most(n - begin, share) : n - begin;
        if (apply_band(job, of, done, columns{begin, count}) != 0)
            return -1;
        begin += count;
        CUDA_TRY(job, cudaStreamWaitEvent((cudaStream_t)job->stream, state->factored, 0));
        if (apply_band(job, of, band{block.first, block.width, block.width}, columns{after, left}) != 0)
            return -1;
    }
    return 0;
}

/* Exchanges rows left of the blocks, when all blocks are factored. */
template <typename real> static int finish(struct job *job)
{
    const state *state = (const struct state *)job->state;
    const int n = (int)job->cell->n;
    const left_task<real> task = {
        (real *)job->operand[0], n, n, state->groups, state->moves, state->panels, state->later,
        (real *)state->columns};
    if (state->groups == 0)
        return 0;
    lu_pivot_left<real><<<(unsigned)at_most(state->groups, state->left_blocks), LEFT_THREADS, left_shared_bytes(n),
                          (cudaStream_t)job->stream>>>(task);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

template <typename real> static int launch(struct job *job)
{
    const state *state = (const struct state *)job->state;
    const int n = (int)job->cell->n;
    block_task<real> of = {};
    of.a = (real *)job->operand[0];
    of.ld = of.n = n;
    of.pivots = (int *)job->operand[1];
    of.moves = state->moves;
    of.bad_pivot = state->bad_pivot;
    of.started = state->started;
    CUDA_TRY(job, cudaMemsetAsync(state->started, 0xFF, sizeof *state->started, (cudaStream_t)job->stream));
    for (band done = {}, next; done.first + done.width < n; done = next) {
        next = band_at(done.first + done.width, n);
        if (take_band(job, of, done, next) != 0)
            return -1;
    }
    return finish<real>(job);
}

CUDA_ENTRY_BY_FLOAT(lu_cuda_pivot)

/* --- Preparation, release and check --- */

template <typename real, int W, int R> static int allow_block(struct job *job)
{
    const auto kernel = lu_pivot_block<real, W, R>;
    CUDA_TRY(job, cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    CUDA_TRY(job, cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       panel_shared_bytes<real, W>(WIDE_BLOCK)));
    return 0;
}

template <typename tile> static int allow_tile(struct job *job)
{
    const int bytes = tile::SHARED_BYTES;
    CUDA_TRY(job,
             cudaFuncSetAttribute(lu_pivot_update<tile, true>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    CUDA_TRY(job,
             cudaFuncSetAttribute(lu_pivot_update<tile, false>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    return 0;
}

template <typename real> static int allow_trailing(struct job *job)
{
    return allow_tile<trailing_large<real>>(job) || allow_tile<trailing_small<real>>(job);
}

template <typename real> static int allow_solve(struct job *job)
{
    CUDA_TRY(job, cudaFuncSetAttribute(lu_pivot_solve<real>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       solve_shared_bytes<real>(WIDE_BLOCK)));
    CUDA_TRY(job, cudaFuncSetAttribute(lu_pivot_compose, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       compose_shared_bytes(job->cell->n)));
    return 0;
}

/* Allows all kernels the shared memory and the cluster sizes that they need. */
static int allow(struct job *job)
{
    if (job->cell->precision == F64)
        return allow_block<double, 32, 1>(job) || allow_block<double, 16, 2>(job) || allow_block<double, 8, 4>(job) ||
               allow_block<double, 4, 8>(job) || allow_trailing<double>(job) || allow_solve<double>(job);
    return allow_block<float, 32, 1>(job) || allow_block<float, 32, 2>(job) || allow_block<float, 16, 4>(job) ||
           allow_block<float, 8, 8>(job) || allow_trailing<float>(job) || allow_solve<float>(job);
}

/* Finds the largest cluster of full thread blocks that the device can run. */
template <typename real> static int find_cluster(struct job *job, int *most)
{
    for (*most = CLUSTER_MOST; *most > 1; *most /= 2) {
        cudaLaunchAttribute cluster = {};
        cudaLaunchConfig_t config = {};
        int clusters = 0;
        cluster.id = cudaLaunchAttributeClusterDimension;
        cluster.val.clusterDim.x = (unsigned)*most;
        cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
        config.gridDim = dim3((unsigned)*most);
        config.blockDim = dim3(PANEL_THREADS);
        config.dynamicSmemBytes = panel_shared_bytes<real, 32>(WIDE_BLOCK);
        config.attrs = &cluster;
        config.numAttrs = 1;
        if (cudaOccupancyMaxActiveClusters(&clusters, lu_pivot_block<real, 32, 1>, &config) == cudaSuccess &&
            clusters > 0)
            break;
        cudaGetLastError(); /* clears the error of a cluster that is too large, or the next call would report it */
    }
    enum { WIDTH_LEAST = sizeof(real) == 8 ? 4 : 8, WORDS = sizeof(real) == 8 ? 32 : 64 };
    const int64_t rows = (int64_t)*most * PANEL_THREADS * (WORDS / WIDTH_LEAST);
    if (job->cell->n > rows)
        return job_fail(job, "clusters of %d thread blocks hold panels of up to %lld rows", *most, (long long)rows);
    return 0;
}

/* Lists the panels, and for each group of columns the first panel after its block. The last block has no later panel,
 * and its columns need no group. */
template <typename real> static int list_panels(struct job *job, struct state *state)
{
    const int n = (int)job->cell->n;
    std::vector<int> panels, later;
    for (band band = band_at(0, n);; band = band_at(band.first + band.width, n)) {
        const int end = band.first + band.width;
        for (int block = band.first; block < end; block += band.block)
            for (int at = 0; at < band.block; at += panel_width<real>(n - block, state->cluster_most))
                panels.push_back(block + at);
        if (end == n)
            break;
        later.insert(later.end(), band.width / LEFT_COLS, (int)panels.size());
    }
    panels.push_back(n);
    state->groups = (int)later.size();
    later.push_back(0); /* there is memory even without groups */
    enum { BLOCKS_EACH = 2 };
    state->left_blocks = at_most(BLOCKS_EACH * state->multiprocessors, state->groups);
    CUDA_TRY(job, cudaMalloc(&state->panels, panels.size() * sizeof(int)));
    CUDA_TRY(job, cudaMalloc(&state->later, later.size() * sizeof(int)));
    CUDA_TRY(job, cudaMalloc(&state->columns, (size_t)(state->left_blocks + 1) * n * sizeof(real)));
    CUDA_TRY(job, cudaMemcpy(state->panels, panels.data(), panels.size() * sizeof(int), cudaMemcpyHostToDevice));
    CUDA_TRY(job, cudaMemcpy(state->later, later.data(), later.size() * sizeof(int), cudaMemcpyHostToDevice));
    CUDA_TRY(job, cudaFuncSetAttribute(lu_pivot_left<real>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       left_shared_bytes(n)));
    return 0;
}

static int make(struct job *job, struct state *state)
{
    const size_t rows = (size_t)job->cell->n;
    int device, low, high;
    CUDA_TRY(job, cudaGetDevice(&device));
    CUDA_TRY(job, cudaDeviceGetAttribute(&state->multiprocessors, cudaDevAttrMultiProcessorCount, device));
    CUDA_TRY(job, cudaDeviceGetStreamPriorityRange(&low, &high));
    CUDA_TRY(job, cudaStreamCreateWithPriority(&state->ahead, cudaStreamNonBlocking, high));
    CUDA_TRY(job, cudaEventCreateWithFlags(&state->ready, cudaEventDisableTiming));
    CUDA_TRY(job, cudaEventCreateWithFlags(&state->factored, cudaEventDisableTiming));
    CUDA_TRY(job, cudaMalloc(&state->started, sizeof *state->started));
    CUDA_TRY(job, cudaMalloc(&state->moves.source, rows * sizeof(int)));
    CUDA_TRY(job, cudaMalloc(&state->moves.target, rows * sizeof(int)));
    CUDA_TRY(job, cudaMalloc(&state->of_blocks.source, rows * sizeof(int)));
    CUDA_TRY(job, cudaMalloc(&state->of_blocks.target, rows * sizeof(int)));
    state->bad_pivot = lu_bad_pivot_new(job);
    if (!state->bad_pivot || allow(job) != 0)
        return -1;
    if (job->cell->precision == F64)
        return find_cluster<double>(job, &state->cluster_most) || list_panels<double>(job, state);
    return find_cluster<float>(job, &state->cluster_most) || list_panels<float>(job, state);
}

CUDA_ENTRY void lu_cuda_pivot_release(struct job *job)
{
    state *state = (struct state *)job->state;
    if (state->ahead)
        cudaStreamDestroy(state->ahead);
    if (state->ready)
        cudaEventDestroy(state->ready);
    if (state->factored)
        cudaEventDestroy(state->factored);
    cudaFree(state->bad_pivot);
    cudaFree(state->started);
    cudaFree(state->moves.source);
    cudaFree(state->moves.target);
    cudaFree(state->of_blocks.source);
    cudaFree(state->of_blocks.target);
    cudaFree(state->panels);
    cudaFree(state->later);
    cudaFree(state->columns);
    delete state;
    job->state = NULL;
}

CUDA_ENTRY int lu_cuda_pivot_prepare(struct job *job)
{
    job->state = new state();
    if (make(job, (struct state *)job->state) == 0)
        return 0;
    lu_cuda_pivot_release(job);
    return -1;
}

CUDA_ENTRY int lu_cuda_pivot_check(struct job *job)
{
    return lu_bad_pivot_check(job, ((const state *)job->state)->bad_pivot);
}

#else

/* A thread holds up to 64 words of a panel in registers. A panel has at least 4 columns in f64, and 8 in f32. */
static const char *reject(const struct cell *cell)
{
    if (cell->n > 1 << 16)
        return cell_reason("n = %lld: a cluster holds panels of up to 65536 rows", (long long)cell->n);
    return NULL;
}

VARIANT(lu, cuda_pivot) = {
    .summary = "partial pivoting, panels by a cluster of thread blocks, with look-ahead",
    .summary_ru = "частичный выбор ведущего элемента, панели считает кластер блоков с опережением",
    .source = "tilelab",
    .precisions = FLOATS,
    .tensor = FLOATS,
    .split = F32,
    .products = 3,
    .compute_capability = 90,
    .pivoting = PIVOTING_PARTIAL,
    .column_major = true,
    .typical_gflops = 10000,
    .reject = reject,
    .unmodelled = "the pivots decide which rows are exchanged",
};

#endif
