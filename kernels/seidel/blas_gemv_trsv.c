/* x of A x = b by Gauss-Seidel, (L + D) x_{k+1} = b - U x_k, with gemv, trmv and trsv of a BLAS loaded at run time. A
 * sweep goes by blocks of rows: gemv left and right of the diagonal square, trmv and trsv in the square.
 * A (n x n) is diagonally dominant and row-major; n is any within 32-bit integers; omega = 1 only.
 * The residual is U x_{k-1} - U x_k. A sweep reads A once; trsv reads the squares again, but from the cache.
 * The library splits the work: none splits trsv, some split gemv.
 * Source: baseline.
 * SPDX-License-Identifier: MIT */
#include "blas.h"
#include "common/solver.h"

#include <math.h>
#include <stdlib.h>

/* Rows of a block: few enough for a square to stay in the second-level cache, and enough to pay for a call. */
enum { BLOCK = 256 };

struct work {
    void *spare;         /* the second x */
    void *upper, *older; /* U x_k of a block; U x_{k-1} of all rows, and b before the first sweep */
};

#define real float
#define CALL(routine) s##routine
#include "blas_sweep.h"
#undef real
#undef CALL
#define real double
#define CALL(routine) d##routine
#include "blas_sweep.h"

static const char *reject(const struct cell *cell)
{
    return cell->omega && cell->omega != OMEGA_ONE ? "trsv divides by the diagonal of A as it is: omega = 1 only"
                                                   : NULL;
}

static void release(struct job *job)
{
    struct work *work = job->state;
    free(work->spare);
    free(work->upper);
    free(work->older);
    free(work);
}

static int prepare(struct job *job)
{
    const struct blas *blas = job->blas;
    const size_t element = (size_t)cell_element_bytes(job->cell);
    if (!blas->sgemv || !blas->dgemv || !blas->strmv || !blas->dtrmv || !blas->strsv || !blas->dtrsv)
        return job_fail(job, "%.150s has not all of cblas_?gemv, cblas_?trmv, cblas_?trsv", blas->path);
    struct work *work = calloc(1, sizeof *work);
    if (!work)
        return job_fail(job, "out of memory for a second x");
    job->state = work;
    work->spare = malloc((size_t)job->cell->n * element);
    work->upper = malloc(BLOCK * element);
    work->older = malloc((size_t)job->cell->n * element);
    if (work->spare && work->upper && work->older)
        return 0;
    release(job);
    return job_fail(job, "out of memory for a second x");
}

static int run(struct job *job)
{
    const struct solver_rule rule = solver_rule_of(job->cell);
    const struct work *work = job->state;
    const size_t size = (size_t)(job->cell->n * cell_element_bytes(job->cell));
    struct solver_log *log = job->operand[SOLVER_LOG];
    void *x[2] = {job->operand[SOLVER_X], work->spare}; /* x_k is x[k % 2] */

    memset(x[0], 0, size);
    memcpy(work->older, job->operand[SOLVER_B], size);
    solver_begin(log);
    for (int64_t k = 0;; k++) {
        const double norm =
            job->cell->precision == F32 ? ssweep(job, x[k % 2], x[(k + 1) % 2]) : dsweep(job, x[k % 2], x[(k + 1) % 2]);
        if (solver_note(&rule, log, k, norm) != SOLVER_RUNNING)
            break;
    }
    if (log->sweeps % 2 != 0)
        memcpy(x[0], x[1], size);
    return 0;
}

VARIANT(seidel, blas_gemv_trsv) = {
    .summary = "gemv, trmv and trsv of a BLAS library on blocks of rows",
    .summary_ru = "gemv, trmv и trsv библиотеки BLAS по блокам строк",
    .source = "baseline",
    .vendor = true,
    .precisions = FLOATS,
    .axes = HONOURS(threads),
    .unit = UNIT_MEMORY,
    .typical_gflops = 4,
    .reject = reject,
    .prepare = prepare,
    .run = run,
    .release = release,
};
