/* A sweep of blas_gemv_trsv.c in one precision. That file includes this one for each precision, with `real` and
 * CALL(routine) defined for it.
 * SPDX-License-Identifier: MIT */

/* Computes a block of rows of `next` from `now`. Returns the sum of squares of their residuals. */
static double CALL(block)(const struct job *job, int first, int size, const real *now, real *next)
{
    const struct blas *blas = job->blas;
    const struct work *work = job->state;
    const int n = (int)job->cell->n, after = first + size;
    const real *b = job->operand[SOLVER_B];
    const real *rows = (const real *)job->operand[SOLVER_A] + (int64_t)first * n;
    const real *square = rows + first;
    real *upper = work->upper, *older = (real *)work->older + first;
    double squares = 0;

    memcpy(upper, now + first, (size_t)size * sizeof *upper);
    blas->CALL(trmv)(BLAS_ROW_MAJOR, BLAS_UPPER, BLAS_NO_TRANS, BLAS_NON_UNIT, size, square, n, upper, 1);
    for (int i = 0; i < size; i++)
        upper[i] -= square[(int64_t)i * n + i] * now[first + i];
    if (after < n)
        blas->CALL(gemv)(BLAS_ROW_MAJOR, BLAS_NO_TRANS, size, n - after, 1, rows + after, n, now + after, 1, 1, upper,
                         1);
    for (int i = 0; i < size; i++) {
        const double residual = older[i] - upper[i];
        squares += residual * residual;
        older[i] = upper[i];
        next[first + i] = b[first + i] - upper[i];
    }
    if (first > 0)
        blas->CALL(gemv)(BLAS_ROW_MAJOR, BLAS_NO_TRANS, size, first, -1, rows, n, next, 1, 1, next + first, 1);
    blas->CALL(trsv)(BLAS_ROW_MAJOR, BLAS_LOWER, BLAS_NO_TRANS, BLAS_NON_UNIT, size, square, n, next + first, 1);
    return squares;
}

static double CALL(sweep)(const struct job *job, const void *now, void *next)
{
    const int n = (int)job->cell->n;
    double squares = 0;
    for (int first = 0; first < n; first += BLOCK)
        squares += CALL(block)(job, first, n - first < BLOCK ? n - first : BLOCK, now, next);
    return sqrt(squares);
}
