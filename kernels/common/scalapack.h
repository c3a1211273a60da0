/* The grid of processes and the descriptors of matrices that ScaLAPACK takes. Its headers have no prototypes for C.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COMMON_SCALAPACK_H
#define TILELAB_COMMON_SCALAPACK_H

#include "team_variant.h"

#include <stdlib.h>

enum { SCALAPACK_DESCRIPTOR = 9 };

struct scalapack {
    int context; /* of BLACS */
    int matrix[MAX_OPERANDS][SCALAPACK_DESCRIPTOR];
    int *pivots;
};

void Cblacs_get(int context, int what, int *value);
void Cblacs_gridinit(int *context, const char *order, int rows, int cols);
void Cblacs_gridexit(int context);
void descinit_(int *descriptor, const int *m, const int *n, const int *mb, const int *nb, const int *first_row,
               const int *first_col, const int *context, const int *lld, int *info);

/* Describes a distributed matrix. Returns 0, or the number of the argument that ScaLAPACK refuses. */
static inline int scalapack_describe(const struct team_matrix *matrix, int context, int *descriptor)
{
    const int m = (int)matrix->rows, n = (int)matrix->cols, mb = (int)matrix->block_rows, nb = (int)matrix->block_cols,
              first = 0, lld = (int)matrix->part[0].ld;
    int info = 0;
    descinit_(descriptor, &m, &n, &mb, &nb, &first, &first, &context, &lld, &info);
    return -info;
}

static inline void scalapack_release(struct job *job)
{
    struct scalapack *state = job->state;
    Cblacs_gridexit(state->context);
    free(state->pivots);
    free(state);
}

/* Makes the grid and describes the first `count` operands; `pivots`: how many pivots there is to be room for. */
static inline int scalapack_prepare(struct job *job, int count, int64_t pivots)
{
    struct scalapack *state = calloc(1, sizeof *state);
    if (!state || !(state->pivots = malloc((size_t)(pivots + 1) * sizeof *state->pivots))) {
        free(state);
        return job_fail(job, "no memory for the descriptors");
    }
    job->state = state;
    Cblacs_get(-1, 0, &state->context);
    Cblacs_gridinit(&state->context, "Column", job->team->grid_rows, job->team->grid_cols);
    for (int i = 0; i < count; i++) {
        const int bad = scalapack_describe(&job->team->matrix[i], state->context, state->matrix[i]);
        if (bad)
            return job_fail(job, "descinit refuses its argument %d", bad);
    }
    return 0;
}

#endif
