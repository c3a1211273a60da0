/* C = A B by psgemm or pdgemm of ScaLAPACK, over processes of MPI: a baseline.
 * A (m x k), B (k x n) and C (m x n) are distributed in blocks of tile x tile over a grid that is nearly square. Parts
 * lie column by column. Each process computes with one thread.
 * The library splits the work: blocks of A travel along the rows of the grid, blocks of B along its columns.
 * Source: baseline.
 * SPDX-License-Identifier: MIT */
#include "variant.h"

#ifdef TILELAB_MEMBER
#include "common/scalapack.h"

enum { A, B, C };

void psgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k, const float *alpha,
             const float *a, const int *ia, const int *ja, const int *desca, const float *b, const int *ib,
             const int *jb, const int *descb, const float *beta, float *c, const int *ic, const int *jc,
             const int *descc);
void pdgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k, const double *alpha,
             const double *a, const int *ia, const int *ja, const int *desca, const double *b, const int *ib,
             const int *jb, const int *descb, const double *beta, double *c, const int *ic, const int *jc,
             const int *descc);

MEMBER_ENTRY int matmul_scalapack_prepare(struct job *job)
{
    return scalapack_prepare(job, 3, 0);
}

MEMBER_ENTRY void matmul_scalapack_release(struct job *job)
{
    scalapack_release(job);
}

MEMBER_ENTRY int matmul_scalapack_launch(struct job *job)
{
    const struct scalapack *state = job->state;
    const int m = (int)job->cell->m, n = (int)job->cell->n, k = (int)job->cell->k, first = 1;
    void *const *x = job->operand;
    if (job->cell->precision == F32) {
        const float one = 1, zero = 0;
        psgemm_("N", "N", &m, &n, &k, &one, x[A], &first, &first, state->matrix[A], x[B], &first, &first,
                state->matrix[B], &zero, x[C], &first, &first, state->matrix[C]);
    } else {
        const double one = 1, zero = 0;
        pdgemm_("N", "N", &m, &n, &k, &one, x[A], &first, &first, state->matrix[A], x[B], &first, &first,
                state->matrix[B], &zero, x[C], &first, &first, state->matrix[C]);
    }
    return 0;
}
#endif

VARIANT(matmul, scalapack) = {
    .summary = "pgemm of ScaLAPACK over MPI",
    .summary_ru = "pgemm из ScaLAPACK поверх MPI",
    .source = "baseline",
    .vendor = true,
    .library = "scalapack",
    .style = 7,
    .precisions = FLOATS,
    .axes = HONOURS(ranks) | HONOURS(tile),
    .defaults = {.ranks = 2, .tile = 128},
    .distribution = DISTRIBUTION_SQUARE,
    .typical_gflops = 50,
};
