/* P A = L U in place by psgetrf or pdgetrf of ScaLAPACK, over processes of MPI: a baseline.
 * A (n x n) is distributed in blocks of tile x tile over a grid that is nearly square. Parts lie column by column;
 * pivots stay with the rows that they belong to.
 * The library splits the work: a panel of tile columns is factorised by one column of the grid, then sent along its
 * rows. Pivoting is partial, so that any matrix is allowed; a singular one is an error. Source: baseline.
 * SPDX-License-Identifier: MIT */
#include "variant.h"

#ifdef TILELAB_MEMBER
#include "common/scalapack.h"

void psgetrf_(const int *m, const int *n, float *a, const int *ia, const int *ja, const int *desca, int *pivots,
              int *info);
void pdgetrf_(const int *m, const int *n, double *a, const int *ia, const int *ja, const int *desca, int *pivots,
              int *info);
void psgetrs_(const char *trans, const int *n, const int *nrhs, const float *a, const int *ia, const int *ja,
              const int *desca, const int *pivots, float *b, const int *ib, const int *jb, const int *descb, int *info);
void pdgetrs_(const char *trans, const int *n, const int *nrhs, const double *a, const int *ia, const int *ja,
              const int *desca, const int *pivots, double *b, const int *ib, const int *jb, const int *descb,
              int *info);

MEMBER_ENTRY int lu_scalapack_prepare(struct job *job)
{
    const struct team_matrix *a = &job->team->matrix[0];
    return scalapack_prepare(job, 1, a->part[0].rows + a->block_rows);
}

MEMBER_ENTRY void lu_scalapack_release(struct job *job)
{
    scalapack_release(job);
}

MEMBER_ENTRY int lu_scalapack_launch(struct job *job)
{
    struct scalapack *state = job->state;
    const int n = (int)job->cell->n, first = 1;
    int info = 0;
    if (job->cell->precision == F32)
        psgetrf_(&n, &n, job->operand[0], &first, &first, state->matrix[0], state->pivots, &info);
    else
        pdgetrf_(&n, &n, job->operand[0], &first, &first, state->matrix[0], state->pivots, &info);
    return info == 0 ? 0 : job_fail(job, "getrf returned %d: the pivot of step %d is 0", info, info - 1);
}

MEMBER_ENTRY int lu_scalapack_solve(struct job *job, struct team_matrix *x)
{
    struct scalapack *state = job->state;
    const int n = (int)job->cell->n, first = 1, one = 1;
    int describe_x[SCALAPACK_DESCRIPTOR], info = scalapack_describe(x, state->context, describe_x);
    if (info == 0 && job->cell->precision == F32)
        psgetrs_("N", &n, &one, job->operand[0], &first, &first, state->matrix[0], state->pivots, x->part[0].data,
                 &first, &first, describe_x, &info);
    else if (info == 0)
        pdgetrs_("N", &n, &one, job->operand[0], &first, &first, state->matrix[0], state->pivots, x->part[0].data,
                 &first, &first, describe_x, &info);
    return info == 0 ? 0 : job_fail(job, "getrs returned %d", info);
}
#endif

VARIANT(lu, scalapack) = {
    .summary = "pgetrf of ScaLAPACK over MPI",
    .summary_ru = "pgetrf из ScaLAPACK поверх MPI",
    .source = "baseline",
    .vendor = true,
    .library = "scalapack",
    .style = 7,
    .precisions = FLOATS,
    .axes = HONOURS(ranks) | HONOURS(tile),
    .defaults = {.ranks = 2, .tile = 64},
    .distribution = DISTRIBUTION_SQUARE,
    .pivoting = PIVOTING_PARTIAL,
    .column_major = true,
    .typical_gflops = 20,
};
