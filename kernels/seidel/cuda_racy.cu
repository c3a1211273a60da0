/* x of A x = b by chaotic relaxation (Chazan and Miranker 1969): there is one x, with a thread a row and one launch a
 * sweep, as the source prints it. Loads of x are plain, so that a thread may read old values from the first-level
 * cache. With few blocks every thread has read x before any thread writes: the sweep is then Jacobi's.
 * A (n x n) is diagonally dominant and row-major; n is any. A thread block has `tile` threads, 1 to 1024; the source
 * launches n / 16. A kernel between sweeps computes the residual. Differs from jacobi/cuda-global: one x. Source:
 * granular. SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifdef __CUDACC__

#include "chaotic_sweep.cuh"

template <typename real> static int sweep(struct job *job, const real *, real *x)
{
    return chaotic_sweep<real, real>(job, x);
}

CUDA_ENTRY int seidel_cuda_racy_prepare(struct job *job)
{
    return solver_work_prepare(job);
}

CUDA_ENTRY void seidel_cuda_racy_release(struct job *job)
{
    solver_work_release(job);
}

template <typename real> static int launch(struct job *job)
{
    return solver_by_host(job, (real *)job->operand[SOLVER_X], sweep<real>, solver_norm<real>);
}

CUDA_ENTRY_BY_FLOAT(seidel_cuda_racy)

#else

static const char *reject(const struct cell *cell)
{
    if (cell->tile > 1024)
        return cell_reason("a block of %lld threads; CUDA's limit is 1024", (long long)cell->tile);
    return NULL;
}

VARIANT(seidel, cuda_racy) = {
    .summary = "chaotic relaxation: one thread for each row, a single x, plain loads",
    .summary_ru = "хаотическая релаксация: поток на строку, один x, обычные загрузки",
    .source = "granular",
    .precisions = FLOATS,
    .axes = HONOURS(tile),
    .defaults = {.tile = 16},
    .unit = UNIT_MEMORY,
    .chaotic = true,
    .typical_gflops = 20,
    .reject = reject,
};

#endif
