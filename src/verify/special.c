/* Inputs that are hard for a product or a factorisation.
 * SPDX-License-Identifier: MIT */
#include "special.h"

#include "inputs.h"
#include "parallel.h"
#include "product_rows.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { STREAM_MAGNITUDES = 2000, STREAM_SPECIAL_ROWS = 3000, STREAM_TIES = 4000 };
enum { EQUAL_PAIRS = 4 }; /* every fourth pair of candidates is equal, the others nearly */

/* --- Inputs --- */

struct fill {
    void *to;
    int64_t rows, cols, precision;
    enum inputs inputs;
    uint64_t seed;
    uint32_t stream;
};

/* The magnitude of the elements of a row. */
static double magnitude(const struct fill *fill, int64_t row)
{
    const int most = fill->precision == F32 ? 20 : 200;
    if (fill->inputs == INPUTS_GRADED)
        return ldexp(1, (int)inputs_integer(fill->seed, STREAM_MAGNITUDES + fill->stream, (uint64_t)row, -most, most));
    if (fill->inputs == INPUTS_DENORMALS)
        return row % 2 == 1 ? 0x1p40 : fill->precision == F32 ? FLT_MIN : DBL_MIN;
    return 1;
}

static void fill_rows(int64_t begin, int64_t end, void *context)
{
    const struct fill *fill = context;
    for (int64_t row = begin; row < end; row++) {
        const double by = magnitude(fill, row);
        for (int64_t i = row * fill->cols; i < (row + 1) * fill->cols; i++) {
            const double value =
                fill->inputs == INPUTS_CONSTANT ? 0.1 : by * inputs_uniform(fill->seed, fill->stream, (uint64_t)i);
            if (fill->precision == F32)
                ((float *)fill->to)[i] = (float)value;
            else
                ((double *)fill->to)[i] = value;
        }
    }
}

static void put(const struct fill *fill, int64_t i, double value)
{
    if (fill->precision == F32)
        ((float *)fill->to)[i] = (float)value;
    else
        ((double *)fill->to)[i] = value;
}

void special_fill(void *to, int64_t rows, int64_t cols, int64_t precision, enum inputs inputs, uint64_t seed,
                  uint32_t stream)
{
    struct fill fill = {to, rows, cols, precision, inputs, seed, stream};
    parallel_for(rows, fill_rows, &fill);
    if (inputs != INPUTS_NONFINITE)
        return;
    put(&fill, (rows - 1) * cols + cols / 2, NAN);
    put(&fill, cols / 3, INFINITY);
}

/* --- Matrices to factor --- */

struct change {
    struct fill fill;
    bool column_major;
};

/* The place of element (row, col) in memory. */
static int64_t place(const struct change *change, int64_t row, int64_t col)
{
    return change->column_major ? col * change->fill.cols + row : row * change->fill.cols + col;
}

/* A number that differs from `value` by at most two units in the last place. */
static double nearly(const struct fill *fill, double value, int64_t i)
{
    const double unit = fill->precision == F32 ? FLT_EPSILON : DBL_EPSILON;
    const int64_t units = inputs_integer(fill->seed, STREAM_TIES + fill->stream, (uint64_t)i, -2, 2);
    return value * (1 + (double)units * unit);
}

/* Changes a row. With INPUTS_TIES it becomes nearly the row `like` up to the middle column; like == row: no other. */
static void change_row(const struct change *change, int64_t row, int64_t like)
{
    const struct fill *fill = &change->fill;
    const int64_t n = fill->cols;
    const double by = magnitude(fill, row);
    for (int64_t col = 0; col < n; col++) {
        const int64_t at = place(change, row, col), from = place(change, col < n / 2 ? like : row, col);
        const bool ties = fill->inputs == INPUTS_TIES && (col == 0 || from != at);
        double value = by * operand_value(fill->to, fill->precision, from);
        if (ties && col == 0)
            value = copysign(1, value);
        if (ties && like % EQUAL_PAIRS != 0)
            value = nearly(fill, value, row * n + col);
        put(fill, at, value);
    }
}

static void change_pairs(int64_t begin, int64_t end, void *context)
{
    const struct change *change = context;
    const int64_t n = change->fill.cols, half = n - n / 2;
    for (int64_t row = begin; row < end; row++) {
        change_row(change, row, row);
        if (row + half < n)
            change_row(change, row + half, change->fill.inputs == INPUTS_TIES ? row : row + half);
    }
}

void special_change_matrix(void *to, int64_t n, int64_t precision, enum inputs inputs, bool column_major, uint64_t seed,
                           uint32_t stream)
{
    struct change change = {{to, n, n, precision, inputs, seed, stream}, column_major};
    parallel_for(n - n / 2, change_pairs, &change);
}

/* --- Reference --- */

struct special_reference {
    int64_t rows, row[PRODUCT_ROWS];
    long double *value, *scale; /* entries of C and of |A||B| (rows x n) */
    long double *col_sum;       /* of |B| (n) */
    long double row_sum[PRODUCT_ROWS];
};

struct work {
    const struct product *product;
    struct special_reference *to;
};

static void multiply_columns(int64_t begin, int64_t end, void *context)
{
    const struct work *work = context;
    const struct product *of = work->product;
    struct special_reference *to = work->to;
    for (int64_t j = begin; j < end; j++) {
        long double sum[PRODUCT_ROWS] = {0}, scale[PRODUCT_ROWS] = {0}, col_sum = 0;
        for (int64_t l = 0; l < of->k; l++) {
            const long double y = operand_value(of->b, of->precision, layout_index(of->b_layout, of->k, of->n, l, j));
            col_sum += fabsl(y);
            for (int64_t i = 0; i < to->rows; i++) {
                const long double term = y * operand_value(of->a, of->precision, to->row[i] * of->k + l);
                sum[i] += term;
                scale[i] += fabsl(term);
            }
        }
        to->col_sum[j] = col_sum;
        for (int64_t i = 0; i < to->rows; i++) {
            to->value[i * of->n + j] = sum[i];
            to->scale[i * of->n + j] = scale[i];
        }
    }
}

struct special_reference *special_reference(const struct product *product, uint64_t seed)
{
    struct special_reference *to = calloc(1, sizeof *to);
    if (!to)
        return NULL;
    to->rows = product_rows_choose(product->m, seed, STREAM_SPECIAL_ROWS, to->row);
    const size_t entries = (size_t)(to->rows * product->n);
    to->value = malloc(entries * sizeof *to->value);
    to->scale = malloc(entries * sizeof *to->scale);
    to->col_sum = malloc((size_t)product->n * sizeof *to->col_sum);
    if (!to->value || !to->scale || !to->col_sum) {
        special_reference_free(to);
        return NULL;
    }
    for (int64_t i = 0; i < to->rows; i++)
        for (int64_t l = 0; l < product->k; l++)
            to->row_sum[i] += fabs(operand_value(product->a, product->precision, to->row[i] * product->k + l));
    struct work work = {product, to};
    parallel_for(product->n, multiply_columns, &work);
    return to;
}

void special_reference_free(struct special_reference *reference)
{
    if (!reference)
        return;
    free(reference->value);
    free(reference->scale);
    free(reference->col_sum);
    free(reference);
}

/* --- Verdict --- */

void special_verify(const struct product *product, const struct special_reference *reference, const void *c,
                    double allowed, struct verdict *verdict)
{
    const long double least = product->precision == F32 ? 0x1p-149L : 0x1p-1074L;
    const int64_t n = product->n;
    long double worst = 0;
    for (int64_t i = 0; i < reference->rows && verdict->ok; i++)
        for (int64_t j = 0; j < n && verdict->ok; j++) {
            const int64_t at = layout_index(product->c_layout, product->m, n, reference->row[i], j);
            const double found = operand_value(c, product->precision, at);
            const long double value = reference->value[i * n + j];
            if (!isfinite(value)) {
                if (isfinite(found))
                    verdict_fail(verdict, "C(%lld, %lld) is %.9g, but an infinity or a NaN enters it",
                                 (long long)(at / n), (long long)(at % n), found);
                continue;
            }
            const long double lost = (long double)product->k * least +
                                     product->input_floor * (reference->row_sum[i] + reference->col_sum[j]);
            const long double most = allowed * reference->scale[i * n + j] + lost, error = fabsl(found - value);
            if (!(error <= most)) {
                verdict_fail(verdict, "C(%lld, %lld) is %.9g, not %.9Lg: %.3Lg times the error allowed",
                             (long long)(at / n), (long long)(at % n), found, value, error / most);
                continue;
            }
            worst = most > 0 && error / most > worst ? error / most : worst;
        }
    if (verdict->ok)
        verdict->error = (double)worst * verdict->bound;
}
