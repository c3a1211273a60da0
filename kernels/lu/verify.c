/* Verification of a factorisation in place.
 * SPDX-License-Identifier: MIT
 *
 * Every entry of L U may be off by at most 4 sqrt(n) u |L||U|, and errors are told in units of sqrt(n) u |L||U|. A norm
 * of the whole matrix would not see a missed update: in a dominant matrix the diagonal is n times as large. */
#include "verify_parts.h"

#include "verify/inputs.h"
#include "verify/parallel.h"

#include <math.h>
#include <stdlib.h>

static const double ALLOWED = 4, GROWTH_MOST = 10, RESIDUAL_MOST = 16;

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* --- A pass over the rows of a matrix, converted to double, a stripe of rows at a time --- */

enum { STRIPE = 64 };

/* The number of elements from one row of a stripe to the next. It is an odd number of cache lines, so that rows do not
 * fall into the same sets of a cache. */
static int64_t stripe_row(const struct matrix *matrix)
{
    enum { LINE = 64 / sizeof(double) };
    return (matrix->n / LINE + 1) * LINE | LINE;
}

/* Loads rows first to first + count - 1. In a column-major matrix each column is read once. */
static void load_stripe(const struct matrix *matrix, int64_t first, int64_t count, double *to)
{
    const int64_t n = matrix->n, row = stripe_row(matrix);
    if (matrix->column_major)
        for (int64_t col = 0; col < n; col++)
            for (int64_t i = 0; i < count; i++)
                to[i * row + col] = at(matrix, first + i, col);
    else
        for (int64_t i = 0; i < count; i++)
            for (int64_t col = 0; col < n; col++)
                to[i * row + col] = at(matrix, first + i, col);
}

struct pass {
    const struct matrix *matrix;
    void (*row)(void *context, int64_t row, const double *element);
    void *context;
    _Atomic bool failed;
};

static void pass_stripes(int64_t begin, int64_t end, void *context)
{
    struct pass *pass = context;
    const int64_t n = pass->matrix->n, length = stripe_row(pass->matrix);
    double *stripe = reals(STRIPE * length);
    if (!stripe) {
        pass->failed = true;
        return;
    }
    for (int64_t i = begin; i < end; i++) {
        const int64_t first = i * STRIPE, count = n - first < STRIPE ? n - first : STRIPE;
        load_stripe(pass->matrix, first, count, stripe);
        for (int64_t row = 0; row < count; row++)
            pass->row(pass->context, first + row, stripe + row * length);
    }
    free(stripe);
}

/* Calls row() for every row, in any order, on all cores. Returns false if memory is short. */
static bool each_row(const struct matrix *matrix, void (*row)(void *context, int64_t row, const double *element),
                     void *context)
{
    struct pass pass = {matrix, row, context, false};
    parallel_for((matrix->n + STRIPE - 1) / STRIPE, pass_stripes, &pass);
    return !pass.failed;
}

/* --- Reference --- */

struct sizes {
    int64_t n;
    double *largest, *sum; /* for each row: largest |a_ij|, and the sum of all */
};

static void row_sizes(void *context, int64_t row, const double *element)
{
    const struct sizes *sizes = context;
    double largest = 0, sum = 0;
    for (int64_t col = 0; col < sizes->n; col++) {
        largest = larger(fabs(element[col]), largest);
        sum += fabs(element[col]);
    }
    sizes->largest[row] = largest;
    sizes->sum[row] = sum;
}

static bool measure_matrix(struct reference *reference, const struct matrix *a)
{
    struct sizes sizes = {a->n, reals(a->n), reals(a->n)};
    const bool ok = sizes.largest && sizes.sum && each_row(a, row_sizes, &sizes);
    for (int64_t i = 0; ok && i < a->n; i++) {
        reference->largest = larger(sizes.largest[i], reference->largest);
        reference->norm = larger(sizes.sum[i], reference->norm);
    }
    free(sizes.largest);
    free(sizes.sum);
    return ok;
}

void *lu_verify_reference(const struct factorisation *of, uint64_t seed)
{
    struct reference *reference = calloc(1, sizeof *reference);
    if (!reference)
        return NULL;
    *reference = (struct reference){.of = *of, .seed = seed, .right_side = reals(of->n)};
    const struct matrix a = original(reference);
    if (!reference->right_side || !measure_matrix(reference, &a)) {
        lu_verify_reference_free(reference);
        return NULL;
    }
    inputs_fill_uniform(reference->right_side, of->n, F64, seed, STREAM_RIGHT_SIDE);
    return reference;
}

void lu_verify_reference_free(void *memory)
{
    struct reference *reference = memory;
    if (reference)
        free(reference->right_side);
    free(reference);
}

/* --- The factors by themselves --- */

/* Follows the exchanges of rows: row i of L U becomes row judged->row[i] of A. */
static bool follow_pivots(struct judged *judged, const int32_t *pivots)
{
    const int64_t n = judged->factors.n;
    for (int64_t i = 0; i < n; i++)
        judged->row[i] = i;
    for (int64_t i = 0; i < n && judged->reference->of.pivoting == PIVOTING_PARTIAL; i++) {
        const int64_t with = (int64_t)pivots[i] - 1;
        if (with < i || with >= n)
            return verdict_refuse(judged->verdict,
                                  "pivot %lld is row %lld, counted from 1; it must be one of %lld to %lld",
                                  (long long)i + 1, (long long)pivots[i], (long long)i + 1, (long long)n);
        const int64_t row = judged->row[i];
        judged->row[i] = judged->row[with];
        judged->row[with] = row;
    }
    return true;
}

struct survey {
    int64_t n;
    double *l, *u, *norm2; /* for each row: largest |l_ij| below the diagonal, largest |u_ij|, sum of squares */
    int64_t *bad;          /* for each row: column of the first element that is not finite, or n */
    bool *singular;
};

static void survey_row(void *context, int64_t row, const double *element)
{
    const struct survey *survey = context;
    double l = 0, u = 0, norm2 = 0;
    int64_t bad = survey->n;
    for (int64_t col = survey->n; col-- > 0;) {
        const double size = fabs(element[col]);
        if (!isfinite(size))
            bad = col;
        norm2 += size * size;
        if (col < row)
            l = larger(size, l);
        else
            u = larger(size, u);
    }
    survey->l[row] = l;
    survey->u[row] = u;
    survey->norm2[row] = norm2;
    survey->bad[row] = bad;
    survey->singular[row] = element[row] == 0;
}

/* Checks the factors by their survey, row by row. */
static bool judge_survey(struct judged *judged, const struct survey *survey, double u)
{
    const int64_t n = survey->n;
    double norm2 = 0;
    judged->largest_l = 1;
    for (int64_t i = 0; i < n; i++) {
        if (survey->bad[i] < n)
            return verdict_refuse(judged->verdict, "LU(%lld, %lld) is %g", (long long)i, (long long)survey->bad[i],
                                  at(&judged->factors, i, survey->bad[i]));
        judged->largest_l = larger(survey->l[i], judged->largest_l);
        judged->largest_u = larger(survey->u[i], judged->largest_u);
        norm2 += survey->norm2[i];
    }
    judged->verdict->norm2 = norm2;
    judged->verdict->growth = judged->largest_u / judged->reference->largest;
    for (int64_t i = 0; i < n; i++) {
        if (survey->singular[i])
            return verdict_refuse(judged->verdict, "U(%lld, %lld) is 0: the matrix is singular, or this is no pivot",
                                  (long long)i, (long long)i);
        /* A variant that multiplies by the reciprocal of the pivot rounds twice. */
        if (judged->reference->of.pivoting == PIVOTING_PARTIAL && !(survey->l[i] <= 1 + 4 * u))
            return verdict_refuse(judged->verdict, "row %lld of L holds %.9g, but no element is larger than its pivot",
                                  (long long)i, survey->l[i]);
    }
    return true;
}

static bool survey_factors(struct judged *judged, double u)
{
    const int64_t n = judged->factors.n;
    const size_t count = (size_t)n;
    struct survey survey = {.n = n,
                            .l = reals(n),
                            .u = reals(n),
                            .norm2 = reals(n),
                            .bad = malloc(count * sizeof *survey.bad),
                            .singular = malloc(count * sizeof *survey.singular)};
    const bool made = survey.l && survey.u && survey.norm2 && survey.bad && survey.singular &&
                      each_row(&judged->factors, survey_row, &survey);
    const bool ok = made ? judge_survey(judged, &survey, u) : no_memory(judged);
    free(survey.l);
    free(survey.u);
    free(survey.norm2);
    free(survey.bad);
    free(survey.singular);
    return ok;
}

/* --- A solution --- */

/* Elements begin to end - 1 of a row, or of a column in a column-major matrix, as doubles. f64 elements stay where they
 * are; others are converted, at the same places in `room`. */
static const double *stored_line(const struct matrix *matrix, int64_t line, int64_t begin, int64_t end, double *room)
{
    const int64_t first = line * matrix->n;
    if (matrix->precision == F64)
        return (const double *)matrix->data + first;
    for (int64_t i = begin; i < end; i++)
        room[i] = operand_value(matrix->data, matrix->precision, first + i);
    return room;
}

/* One step of a substitution with the elements begin to end - 1 of a line. A row subtracts its product with x from
 * x[line]; a column subtracts its product with x[line] from x. */
static void substitute(const struct matrix *matrix, const double *element, int64_t line, int64_t begin, int64_t end,
                       double *x)
{
    double own = x[line];
    if (matrix->column_major)
        for (int64_t i = begin; i < end; i++)
            x[i] -= element[i] * own;
    else
        for (int64_t i = begin; i < end; i++)
            own -= element[i] * x[i];
    x[line] = own;
}

/* x = U^-1 L^-1 x, line by line as the factors are stored. */
static void solve(const struct matrix *factors, double *x, double *room)
{
    const int64_t n = factors->n;
    const bool by_columns = factors->column_major;
    for (int64_t i = 0; i < n; i++) {
        const int64_t begin = by_columns ? i + 1 : 0, end = by_columns ? n : i;
        substitute(factors, stored_line(factors, i, begin, end, room), i, begin, end, x);
    }
    for (int64_t i = n - 1; i >= 0; i--) {
        const int64_t begin = by_columns ? 0 : i, end = by_columns ? i + 1 : n;
        const double *element = stored_line(factors, i, begin, end, room);
        if (by_columns)
            x[i] /= element[i];
        substitute(factors, element, i, by_columns ? 0 : i + 1, by_columns ? i : n, x);
        if (!by_columns)
            x[i] /= element[i];
    }
}

struct residual {
    int64_t n;
    const double *x, *b;
    double *size; /* |A x - b| for each row */
};

static void residual_row(void *context, int64_t row, const double *element)
{
    const struct residual *residual = context;
    double sum = -residual->b[row];
    for (int64_t col = 0; col < residual->n; col++)
        sum += element[col] * residual->x[col];
    residual->size[row] = fabs(sum);
}

/* The maximum norm; NaN if an element is NaN. */
static double norm_of(const double *vector, int64_t n)
{
    double norm = 0;
    for (int64_t i = 0; i < n; i++)
        norm = fabs(vector[i]) <= norm ? norm : fabs(vector[i]);
    return norm;
}

/* Solves a system by the factors. Judges the scaled residual as the HPL benchmark does: ||Ax - b|| / (u n (||A|| ||x||
 * + ||b||)), in maximum norms. */
static bool solve_and_compare(struct judged *judged, double u)
{
    const struct reference *reference = judged->reference;
    const struct matrix a = original(reference);
    const int64_t n = a.n;
    double *x = reals(n), *room = reals(n);
    struct residual residual = {n, x, reference->right_side, reals(n)};
    bool ok = x && room && residual.size;
    for (int64_t i = 0; ok && i < n; i++)
        x[i] = reference->right_side[judged->row[i]];
    if (ok)
        solve(&judged->factors, x, room);
    ok = ok && each_row(&a, residual_row, &residual);
    if (ok) {
        const double scaled = norm_of(residual.size, n) /
                              (u * (double)n * (reference->norm * norm_of(x, n) + norm_of(reference->right_side, n)));
        if (!(scaled < RESIDUAL_MOST))
            ok = verdict_refuse(judged->verdict, "a solution has the scaled residual %.3g, which must be below %g",
                                scaled, RESIDUAL_MOST);
    } else {
        ok = no_memory(judged);
    }
    free(x);
    free(room);
    free(residual.size);
    return ok;
}

static void judge(struct judged *judged, const int32_t *pivots)
{
    const struct factorisation *of = &judged->reference->of;
    const double u = of->precision == F32 ? 0x1p-24 : 0x1p-53;
    struct verdict *verdict = judged->verdict;
    if (!follow_pivots(judged, pivots) || !survey_factors(judged, u) || !lu_verify_product(judged, u))
        return;
    if (of->pivoting == PIVOTING_NONE && !(verdict->growth <= GROWTH_MOST)) {
        verdict->status = STATUS_UNSTABLE;
        snprintf(verdict->reason, sizeof verdict->reason,
                 "elements grew by a factor of %.3g without pivoting, more than %g", verdict->growth, GROWTH_MOST);
        return;
    }
    solve_and_compare(judged, u);
}

void lu_verify(const void *reference, const void *factors, const int32_t *pivots, struct verdict *verdict)
{
    struct judged judged = {.reference = reference, .verdict = verdict};
    judged.factors = original(reference);
    judged.factors.data = factors;
    const double bound = judged.reference->of.exact ? 0 : ALLOWED;
    judged.row = malloc((size_t)judged.factors.n * sizeof *judged.row);
    *verdict = (struct verdict){.ok = true, .error = NAN, .bound = bound, .norm2 = NAN};
    if (judged.row)
        judge(&judged, pivots);
    else
        no_memory(&judged);
    free(judged.row);
}
