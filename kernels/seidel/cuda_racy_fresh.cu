/* x of A x = b by chaotic relaxation (Chazan and Miranker 1969): there is one x, with a thread a row and one launch a
 * sweep. A thread reads whatever the others have written by then, so that the number of sweeps depends on the shape of
 * the launch.
 * A (n x n) is diagonally dominant and row-major; n is any. A thread block has `tile` threads, 1 to 1024.
 * A separate kernel computes the residual between sweeps, a warp a row, and the host reads its norm.
 * Differs from cuda-racy: loads of x are volatile and bypass the first-level cache, which would hide new values.
 * Source: granular.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifdef __CUDACC__

#include "chaotic_sweep.cuh"

template <typename real> static int sweep(struct job *job, const real *, real *x)
{
    return chaotic_sweep<real, volatile real>(job, x);
}

CUDA_ENTRY int seidel_cuda_racy_fresh_prepare(struct job *job)
{
    return solver_work_prepare(job);
}

CUDA_ENTRY void seidel_cuda_racy_fresh_release(struct job *job)
{
    solver_work_release(job);
}

template <typename real> static int launch(struct job *job)
{
    return solver_by_host(job, (real *)job->operand[SOLVER_X], sweep<real>, solver_norm<real>);
}

CUDA_ENTRY_BY_FLOAT(seidel_cuda_racy_fresh)

#else

static const char *reject(const struct cell *cell)
{
    if (cell->tile > 1024)
        return cell_reason("a block of %lld threads; CUDA's limit is 1024", (long long)cell->tile);
    return NULL;
}

VARIANT(seidel, cuda_racy_fresh) = {
    .summary = "cuda-racy with volatile loads, which see new values as soon as they are written",
    .summary_ru = "cuda-racy с загрузками volatile, которые видят новые значения сразу после записи",
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
