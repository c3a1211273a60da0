/* C = A B or C = A A^T in f64 from products of residues: what variants do. For the device part of a kernel file.
 * SPDX-License-Identifier: MIT
 *
 * Kernels scale A and B to integers and take their residues, multiply the residues, and compute C from the residues of
 * its sums. A last kernel looks at what the others noted of each row. Where integers would lose too much, it computes
 * tiles of C in f64 on tensor cores. */
#ifndef TILELAB_COMMON_RESIDUE_STEPS_CUH
#define TILELAB_COMMON_RESIDUE_STEPS_CUH

#include "dmma.cuh"
#include "residue_tiles.cuh"
#include "residue_wgmma.cuh"

template <bool SYMMETRIC> struct residue_fallback {
    typedef dmma_tile<64, 128, 16, 2, 2, 4, 2, false> tile;
};
template <> struct residue_fallback<true> {
    typedef dmma_tile<128, 128, 16, 4, 2, 4, 1, true> tile;
};

/* Products of fewer or of more terms are computed in f64 on tensor cores. */
static inline bool residue_suits(const struct cell *cell)
{
    const int64_t least = 64;
    return cell->k >= least && cell->k <= RESIDUES_MOST_K;
}

struct residue_state {
    residues plan;
    residue_product product;
    int64_t rows_a, rows_b; /* of the tiles */
    uint4 *a, *b;           /* b: NULL if the product is symmetric */
    residue_row *facts;     /* of the rows of A, then of the columns of B */
    uint8_t *groups;
    int blocks;
};

/* --- C from its residues --- */

/* A thread computes the four elements of a word. SYMMETRIC: and their mirror images, unless the cluster that multiplied
 * owns a square on the diagonal. */
template <int COUNT, bool SYMMETRIC>
__global__ void __launch_bounds__(256)
    product_residue_sum(int64_t m, int64_t n, const __grid_constant__ residues plan, int tiles_n, int64_t words,
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
    const int64_t square_m = own / tiles_n / tile::CLUSTER, square_n = own % tiles_n;
    if (SYMMETRIC && square_m < square_n)
        return;
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
        if (SYMMETRIC && square_m > square_n)
#pragma unroll
            for (int o = 0; o < 2; o++)
                c[(col + o) * n + row + half * 8] = value[o];
    }
}

/* --- Tiles of C whose rows lose too much --- */

template <typename tile, bool WIDE>
__global__ void __launch_bounds__(tile::THREADS, tile::BLOCKS)
    product_residue_again(const __grid_constant__ dmma_product of, const uint8_t *__restrict__ groups_a,
                          const uint8_t *__restrict__ groups_b)
{
    const product_tile own = dmma_tile_of_block<tile>(of);
    if (!(groups_a[own.m * tile::BM / residue_group::ROWS] & groups_b[own.n * tile::BN / residue_group::ROWS]))
        dmma_block<tile, WIDE>(of, own);
}

/* --- The variant --- */

/* Of the residues of C for one modulus. */
static inline int64_t residue_words(const residue_state *state)
{
    return (int64_t)state->product.tiles_m * state->product.tiles_n * residue_wgmma::WORDS;
}

static int residue_make(struct job *job, int count, bool symmetric, residue_state *state)
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
    of->symmetric = symmetric;
    of->tiles_m = (int)product_tiles(symmetric ? cell->n : cell->m, tile::CLUSTER * tile::BM) * tile::CLUSTER;
    of->tiles_n = (int)product_tiles(cell->n, tile::BN);
    of->steps = (int)product_tiles(cell->k, residue_tile::BK);
    state->rows_a = (int64_t)of->tiles_m * tile::BM;
    state->rows_b = symmetric ? 0 : (int64_t)of->tiles_n * tile::BN;
    const size_t row_bytes = (size_t)of->steps * residue_tile::BK;
    CUDA_TRY(job, cudaMalloc(&state->a, (size_t)count * state->rows_a * row_bytes));
    if (!symmetric)
        CUDA_TRY(job, cudaMalloc(&state->b, (size_t)count * state->rows_b * row_bytes));
    CUDA_TRY(job, cudaMalloc(&of->c, (size_t)count * residue_words(state) * 4));
    const size_t rows = (size_t)(state->rows_a + state->rows_b);
    CUDA_TRY(job, cudaMalloc(&state->facts, rows * sizeof *state->facts));
    CUDA_TRY(job, cudaMalloc(&state->groups, rows / residue_group::ROWS));
    CUDA_TRY(job, cudaMalloc(&of->begun, sizeof *of->begun));
    of->a = state->a;
    of->b = symmetric ? state->a : state->b;
    of->groups_a = state->groups;
    of->groups_b = symmetric ? state->groups : state->groups + state->rows_a / residue_group::ROWS;
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
    cudaFree(state->product.begun);
    delete state;
    job->state = NULL;
}

static inline int residue_prepare(struct job *job, int count, bool symmetric)
{
    job->state = new residue_state();
    if (residue_make(job, count, symmetric, (residue_state *)job->state) == 0)
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
    product_residue_measure<ALONG_K><<<(unsigned)(rows / (ALONG_K ? SLICES : 32)), dim3(32, SLICES), 0, stream>>>(
        source, state->plan.most_crest, facts);
    CUDA_TRY(job, cudaGetLastError());
    product_residue_convert<ALONG_K><<<(unsigned)(groups * steps), residue_convert::THREADS, 0, stream>>>(
        source, state->plan, groups, steps, facts, to);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

static int residue_start_look(struct job *job)
{
    typedef residue_group group;
    const residue_state *const state = (residue_state *)job->state;
    const unsigned least = (unsigned)(RESIDUES_LEAST_CLIPPED * RESIDUES_CLIPPED * (double)job->cell->k);
    product_residue_look<<<(unsigned)((state->rows_a + state->rows_b) / group::ROWS), group::ROWS, 0,
                           (cudaStream_t)job->stream>>>(least, state->facts, state->groups, state->product.begun);
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
    CUDA_TRY(job, cudaFuncSetAttribute(product_residue_wgmma, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       tile::SHARED_BYTES));
    CUDA_TRY(job, cudaLaunchKernelEx(&config, product_residue_wgmma, state->product, state->plan));
    return 0;
}

template <int COUNT, bool SYMMETRIC> static int residue_start_sum(struct job *job, const dmma_product &of)
{
    const residue_state *const state = (residue_state *)job->state;
    const int64_t words = residue_words(state);
    product_residue_sum<COUNT, SYMMETRIC><<<(unsigned)(words / 256), 256, 0, (cudaStream_t)job->stream>>>(
        of.m, of.n, state->plan, state->product.tiles_n, words, state->product.c, state->facts,
        state->facts + state->rows_a * !SYMMETRIC, of.c);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

template <typename tile, bool WIDE> static int residue_start_again(struct job *job, const dmma_product &of)
{
    const residue_state *const state = (residue_state *)job->state;
    CUDA_TRY(job, cudaFuncSetAttribute(product_residue_again<tile, WIDE>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       tile::SHARED_BYTES));
    product_residue_again<tile, WIDE>
        <<<(unsigned)dmma_blocks<tile>(of.m, of.n), tile::THREADS, tile::SHARED_BYTES, (cudaStream_t)job->stream>>>(
            of, state->product.groups_a, state->product.groups_b);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

/* Starts all steps. Of a symmetric product, the rows of A stand for the columns of B. */
template <int COUNT, bool SYMMETRIC> static int residue_launch(struct job *job, const dmma_product &of)
{
    typedef typename residue_fallback<SYMMETRIC>::tile tile;
    const residue_state *const state = (residue_state *)job->state;
    const residues &plan = state->plan;
    if (!residue_suits(job->cell))
        return dmma_launch<tile>(job, of);
    const residue_source a = {of.a, of.k, 1, of.m, of.k, SYMMETRIC ? plan.bits_b : plan.bits_a};
    const residue_source b = {of.b, 1, of.n, of.n, of.k, plan.bits_b};
    if (residue_start_convert<true>(job, a, state->rows_a, state->facts, state->a) != 0)
        return -1;
    if (!SYMMETRIC && residue_start_convert<false>(job, b, state->rows_b, state->facts + state->rows_a, state->b) != 0)
        return -1;
    if (residue_start_look(job) != 0 || residue_start_products(job) != 0 ||
        residue_start_sum<COUNT, SYMMETRIC>(job, of) != 0)
        return -1;
    return of.n % 2 == 0 && of.k % 2 == 0 ? residue_start_again<tile, true>(job, of)
                                          : residue_start_again<tile, false>(job, of);
}

#endif
