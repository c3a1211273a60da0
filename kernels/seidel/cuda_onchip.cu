/* x of A x = b by Gauss-Seidel or over-relaxation in the order of rows, the whole run in one launch.
 * A (n x n) is diagonally dominant and row-major; n is any up to 2048 in f64 and 2816 in f32.
 * A is cut into tiles of 64 x 64. Each block row is multiplied by the inverse of its diagonal tile of D/omega + L.
 * Then x_I = c_I - (sum of tiles M_IJ times the latest x_J), so that between x_{I-1} and x_I lies one product only.
 * Some thread blocks share a block row and keep its tiles in registers and shared memory; the launch is cooperative.
 * Differs from cuda-exact: A stays on the chip, and the inverse is off the chain of products. Source: tilelab.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifdef __CUDACC__

#include "onchip_sweeps.cuh"

struct state {
    int blocks, parts, share;
    size_t shared_bytes;
    void *inverse;
    void *values; /* the values of x, then the sums of thread blocks, then the sums of squares */
    size_t x_bytes, part_bytes, values_bytes;
};

enum { INVERT_ELEMENTS = TILE * TILE + TILE * (TILE + 8) }; /* what invert() takes of shared memory */

/* Shares out the tiles of a block row: to as many thread blocks as can hold SHARE of them each, if the device has them;
 * else to fewer. */
template <typename real> static int plan(struct job *job)
{
    struct state *state = (struct state *)job->state;
    const void *const kernel = (const void *)seidel_onchip<real>;
    int device, multiprocessors, most_bytes;
    cudaFuncAttributes own;
    CUDA_TRY(job, cudaGetDevice(&device));
    CUDA_TRY(job, cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    CUDA_TRY(job, cudaDeviceGetAttribute(&most_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    CUDA_TRY(job, cudaFuncGetAttributes(&own, kernel));
    CUDA_TRY(job, cudaFuncSetAttribute(seidel_inverses<real>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       INVERT_ELEMENTS * (int)sizeof(real)));
    state->blocks = (int)((job->cell->n + TILE - 1) / TILE);
    const int wanted = (state->blocks + SHARE - 1) / SHARE, most = multiprocessors / state->blocks;
    state->parts = wanted < most ? wanted : most;
    if (state->parts > 0) {
        state->share = (state->blocks + state->parts - 1) / state->parts;
        state->parts = (state->blocks + state->share - 1) / state->share;               /* each one has a tile */
        const int rest = state->share > IN_REGISTERS ? state->share - IN_REGISTERS : 1; /* at least the staged tile */
        state->shared_bytes = (size_t)(1 + rest) * TILE * TILE * sizeof(real);
        if (state->shared_bytes + own.sharedSizeBytes <= (size_t)most_bytes) {
            CUDA_TRY(job, cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                               most_bytes - (int)own.sharedSizeBytes));
            return 0;
        }
    }
    return job_fail(job, "n = %lld needs more than the %d multiprocessors of this device", (long long)job->cell->n,
                    multiprocessors);
}

template <typename real> static int prepare(struct job *job)
{
    struct state *state = (struct state *)job->state;
    if (plan<real>(job) != 0)
        return -1;
    const size_t rows = (size_t)state->blocks * TILE;
    state->x_bytes = rows * sizeof(tagged_value<real>);
    state->part_bytes = rows * state->parts * sizeof(row_sums<real>);
    state->values_bytes =
        state->x_bytes + state->part_bytes + SUM_BUFFERS * (size_t)state->blocks * sizeof(tagged_value<double>);
    CUDA_TRY(job, cudaMalloc(&state->inverse, rows * TILE * sizeof(real)));
    CUDA_TRY(job, cudaMalloc(&state->values, state->values_bytes));
    return 0;
}

CUDA_ENTRY void seidel_cuda_onchip_release(struct job *job)
{
    struct state *state = (struct state *)job->state;
    cudaFree(state->inverse);
    cudaFree(state->values);
    delete state;
    job->state = NULL;
}

CUDA_ENTRY int seidel_cuda_onchip_prepare(struct job *job)
{
    job->state = new struct state();
    const int status = job->cell->precision == F32 ? prepare<float>(job) : prepare<double>(job);
    if (status != 0)
        seidel_cuda_onchip_release(job);
    return status;
}

template <typename real> static int launch(struct job *job)
{
    const struct state *state = (const struct state *)job->state;
    const cudaStream_t stream = (cudaStream_t)job->stream;
    char *const values = (char *)state->values;
    struct solver<real> of;
    of.n = (int)job->cell->n;
    of.blocks = state->blocks;
    of.parts = state->parts;
    of.share = state->share;
    of.rule = solver_rule_of(job->cell);
    of.a = (const real *)job->operand[SOLVER_A];
    of.b = (const real *)job->operand[SOLVER_B];
    of.inverse = (real *)state->inverse;
    of.x_values = (tagged_value<real> *)values;
    of.part_sums = (row_sums<real> *)(values + state->x_bytes);
    of.sum_values = (tagged_value<double> *)(values + state->x_bytes + state->part_bytes);
    of.x = (real *)job->operand[SOLVER_X];
    of.log = (struct solver_log *)job->operand[SOLVER_LOG];
    void *arguments[] = {&of};
    CUDA_TRY(job, cudaMemsetAsync(values, 0, state->values_bytes, stream));
    seidel_inverses<real><<<of.blocks, TILE * ROW_THREADS, INVERT_ELEMENTS * sizeof(real), stream>>>(of);
    CUDA_TRY(job, cudaGetLastError());
    CUDA_TRY(job, cudaLaunchCooperativeKernel((const void *)seidel_onchip<real>, dim3(of.blocks * of.parts),
                                              dim3(THREADS), arguments, state->shared_bytes, stream));
    return 0;
}

CUDA_ENTRY_BY_FLOAT(seidel_cuda_onchip)

#else

static const char *reject(const struct cell *cell)
{
    enum { MOST_F64 = 2048, MOST_F32 = 2816 };
    const int64_t n = cell->n, most = cell->precision == F64 ? MOST_F64 : MOST_F32;
    const int64_t bytes = cell_element_bytes(cell);
    if (n <= most)
        return NULL;
    return cell_reason("the matrix takes %.4g MB; registers and shared memory hold %.3g MB (n = %lld)",
                       1e-6 * (double)n * (double)(n * bytes), 1e-6 * (double)(most * most * bytes), (long long)most);
}

VARIANT(seidel, cuda_onchip) = {
    .summary = "one launch for all sweeps, the matrix held in registers and shared memory",
    .summary_ru = "один запуск на все итерации, матрица лежит в регистрах и разделяемой памяти",
    .source = "tilelab",
    .precisions = FLOATS,
    .unit = UNIT_MEMORY,
    .compute_capability = 80,
    .typical_gflops = 800,
    .reject = reject,
    .unmodelled = "threads poll for the values of others, as often as it takes",
};

#endif
