/* C = A B in f64 from products of residues: what the variants that differ in the number of moduli share.
 * SPDX-License-Identifier: MIT
 *
 * Kernels scale A and B to integers and take their residues, multiply the residues, and compute C from the residues of
 * its sums. A last kernel looks at what the others noted of each row. It computes tiles of C as cuda-dmma does, where
 * integers would lose too much. */
#ifndef TILELAB_MATMUL_RESIDUE_STEPS_CUH
#define TILELAB_MATMUL_RESIDUE_STEPS_CUH

#include "common/dmma.cuh"
#include "residue_tiles.cuh"
#include "residue_wgmma.cuh"

typedef dmma_tile<64, 128, 16, 2, 2, 4, 2, false> fallback_tile;

/* Products of fewer or of more terms are computed as cuda-dmma does. */
static inline bool residue_suits(const struct cell *cell)
{
    const int64_t least = 64;
    return cell->k >= least && cell->k <= RESIDUES_MOST_K;
}

struct residue_state {
    residues plan;
    residue_product product;
    int64_t rows_a, rows_b; /* of the tiles */
    uint4 *a, *b;
    residue_row *facts; /* of the rows of A, then of the columns of B */
    uint8_t *groups;
    int blocks;
};

/* --- C from its residues --- */

/* A thread computes the four elements of a word. */
template <int COUNT>
__global__ void __launch_bounds__(256)
    matmul_residue_sum(int64_t m, int64_t n, const __grid_constant__ residues plan, int tiles_n, int64_t words,
                       const uint32_t *__restrict__ from, const residue_row *__restrict__ facts_a,
                       const residue_row *__restrict__ facts_b, double *__restrict__ c)
{
    typedef residue_wgmma tile;
    const int64_t at = (int64_t)blockIdx.x * 256 + threadIdx.x, own = at / tile::WORDS;
    const int in_tile = (int)(at % tile::WORDS), in_group = in_tile % (tile::WORDS / tile::CONSUMERS);
    const int thread = in_group % (4 * tile::GROUP) / 4, j = in_group / (4 * tile::GROUP) * 4 + in_group % 4;
    const int64_t row =
        own / tiles_n * tile::BM + in_tile / (tile::WORDS / tile::CONSUMERS) * 64 + thread / 32 * 16 + thread % 32 / 4;
    const int64_t col = own % tiles_n * tile::BN + j * 8 + thread % 4 * 2;
    uint32_t word[COUNT];
#pragma unroll
    for (int i = 0; i < COUNT; i++)
        word[i] = __ldcs(from + i * words + at);
#pragma unroll
    for (int half = 0; half < 2; half++) {
        if (row + half * 8 >= m || col >= n)
            continue;
        const double down = facts_a[row + half * 8].down;
        double value[2];
#pragma unroll
        for (int o = 0; o < 2; o++) {
            residues_sum sum = {};
#pragma unroll
            for (int i = 0; i < COUNT; i++)
                residues_add(&sum, __byte_perm(word[i], 0, 0x4440 + half * 2 + o), plan.weight[i]);
            value[o] = residues_value(&sum, &plan) * down * facts_b[col + o].down;
        }
        double *const to = c + (row + half * 8) * n + col;
        if (n % 2 == 0)
            *(double2 *)to = make_double2(value[0], value[1]);
        else {
            to[0] = value[0];
            if (col + 1 < n)
                to[1] = value[1];
        }
    }
}

/* --- Tiles of C whose rows lose too much --- */

template <bool WIDE>
__global__ void __launch_bounds__(fallback_tile::THREADS, fallback_tile::BLOCKS)
    matmul_residue_again(const __grid_constant__ dmma_product of, const uint8_t *__restrict__ groups_a,
                         const uint8_t *__restrict__ groups_b)
{
    typedef fallback_tile tile;
    const product_tile own = dmma_tile_of_block<tile>(of);
    if (!(groups_a[own.m * tile::BM / residue_group::ROWS] & groups_b[own.n * tile::BN / residue_group::ROWS]))
        dmma_block<tile, WIDE>(of, own);
}

/* --- The variant --- */

static int residue_make(struct job *job, int count, residue_state *state)
{
    typedef residue_wgmma tile;
    const struct cell *cell = job->cell;
    residue_product *const of = &state->product;
    int built, device;
    WGMMA_BUILT(job, &built);
    if (!built)
        return job_fail(job, "the kernel needs wgmma, which devices of compute capability 9.0 have");
    if (!residue_suits(cell))
        return 0;
    CUDA_TRY(job, cudaGetDevice(&device));
    CUDA_TRY(job, cudaDeviceGetAttribute(&state->blocks, cudaDevAttrMultiProcessorCount, device));
    state->plan = residues_plan(count, cell->k);
    of->tiles_m = (int)product_tiles(cell->m, tile::CLUSTER * tile::BM) * tile::CLUSTER;
    of->tiles_n = (int)product_tiles(cell->n, tile::BN);
    of->steps = (int)product_tiles(cell->k, residue_tile::BK);
    state->rows_a = (int64_t)of->tiles_m * tile::BM;
    state->rows_b = (int64_t)of->tiles_n * tile::BN;
    const size_t row_bytes = (size_t)of->steps * residue_tile::BK;
    CUDA_TRY(job, cudaMalloc(&state->a, (size_t)count * state->rows_a * row_bytes));
    CUDA_TRY(job, cudaMalloc(&state->b, (size_t)count * state->rows_b * row_bytes));
    CUDA_TRY(job, cudaMalloc(&of->c, (size_t)count * state->rows_a * state->rows_b));
    const size_t rows = (size_t)(state->rows_a + state->rows_b);
    CUDA_TRY(job, cudaMalloc(&state->facts, rows * sizeof *state->facts));
    CUDA_TRY(job, cudaMalloc(&state->groups, rows / residue_group::ROWS));
    of->a = state->a;
    of->b = state->b;
    of->groups_a = state->groups;
    of->groups_b = state->groups + state->rows_a / residue_group::ROWS;
    return 0;
}

static inline void residue_release(struct job *job)
{
    residue_state *const state = (residue_state *)job->state;
    cudaFree(state->a);
    cudaFree(state->b);
    cudaFree(state->product.c);
    cudaFree(state->facts);
    cudaFree(state->groups);
    delete state;
    job->state = NULL;
}

static inline int residue_prepare(struct job *job, int count)
{
    job->state = new residue_state();
    if (residue_make(job, count, (residue_state *)job->state) == 0)
        return 0;
    residue_release(job);
    return -1;
}

/* Residues of A or of B. */
template <bool ALONG_K>
static int residue_start_convert(struct job *job, const residue_source &source, int64_t rows, residue_row *facts,
                                 uint4 *to)
{
    const residue_state *const state = (residue_state *)job->state;
    const cudaStream_t stream = (cudaStream_t)job->stream;
    const int64_t groups = rows / residue_convert::ROWS, steps = state->product.steps;
    enum { SLICES = residue_measure::SLICES };
    matmul_residue_measure<ALONG_K><<<(unsigned)(rows / (ALONG_K ? SLICES : 32)), dim3(32, SLICES), 0, stream>>>(
        source, state->plan.most_crest, facts);
    CUDA_TRY(job, cudaGetLastError());
    matmul_residue_convert<ALONG_K><<<(unsigned)(groups * steps), residue_convert::THREADS, 0, stream>>>(
        source, state->plan, groups, steps, facts, to);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

static int residue_start_look(struct job *job)
{
    typedef residue_group group;
    const residue_state *const state = (residue_state *)job->state;
    const unsigned least = (unsigned)(RESIDUES_LEAST_CLIPPED * RESIDUES_CLIPPED * (double)job->cell->k);
    matmul_residue_look<<<(unsigned)((state->rows_a + state->rows_b) / group::ROWS), group::ROWS, 0,
                          (cudaStream_t)job->stream>>>(least, state->facts, state->groups);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

static int residue_start_products(struct job *job)
{
    typedef residue_wgmma tile;
    const residue_state *const state = (residue_state *)job->state;
    cudaLaunchAttribute cluster = {};
    cudaLaunchConfig_t config = {};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x = tile::CLUSTER;
    cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
    config.gridDim = dim3((unsigned)(state->blocks / tile::CLUSTER * tile::CLUSTER));
    config.blockDim = dim3(tile::THREADS);
    config.dynamicSmemBytes = tile::SHARED_BYTES;
    config.stream = (cudaStream_t)job->stream;
    config.attrs = &cluster;
    config.numAttrs = 1;
    CUDA_TRY(job, cudaFuncSetAttribute(matmul_residue_wgmma, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       tile::SHARED_BYTES));
    CUDA_TRY(job, cudaLaunchKernelEx(&config, matmul_residue_wgmma, state->product, state->plan));
    return 0;
}

template <int COUNT> static int residue_start_sum(struct job *job)
{
    const struct cell *cell = job->cell;
    const residue_state *const state = (residue_state *)job->state;
    const int64_t words = state->rows_a * state->rows_b / 4;
    matmul_residue_sum<COUNT><<<(unsigned)(words / 256), 256, 0, (cudaStream_t)job->stream>>>(
        cell->m, cell->n, state->plan, state->product.tiles_n, words, state->product.c, state->facts,
        state->facts + state->rows_a, (double *)job->operand[2]);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

template <bool WIDE> static int residue_start_again(struct job *job, const dmma_product &of)
{
    typedef fallback_tile tile;
    const residue_state *const state = (residue_state *)job->state;
    CUDA_TRY(job, cudaFuncSetAttribute(matmul_residue_again<WIDE>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       tile::SHARED_BYTES));
    matmul_residue_again<WIDE>
        <<<(unsigned)dmma_blocks<tile>(of.m, of.n), tile::THREADS, tile::SHARED_BYTES, (cudaStream_t)job->stream>>>(
            of, state->product.groups_a, state->product.groups_b);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

template <int COUNT> static int residue_launch(struct job *job)
{
    const struct cell *cell = job->cell;
    const residue_state *const state = (residue_state *)job->state;
    const int64_t m = cell->m, n = cell->n, k = cell->k;
    const double *const a = (const double *)job->operand[0], *const b = (const double *)job->operand[1];
    const dmma_product of = {m, n, k, a, b, (double *)job->operand[2]};
    if (!residue_suits(cell))
        return dmma_launch<fallback_tile>(job, of);
    if (residue_start_convert<true>(job, {a, k, 1, m, k, state->plan.bits_a}, state->rows_a, state->facts, state->a) !=
            0 ||
        residue_start_convert<false>(job, {b, 1, n, n, k, state->plan.bits_b}, state->rows_b,
                                     state->facts + state->rows_a, state->b) != 0 ||
        residue_start_look(job) != 0 || residue_start_products(job) != 0 || residue_start_sum<COUNT>(job) != 0)
        return -1;
    return n % 2 == 0 && k % 2 == 0 ? residue_start_again<true>(job, of) : residue_start_again<false>(job, of);
}

#endif
