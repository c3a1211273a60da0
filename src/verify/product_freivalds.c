/* A matrix times the random vectors of Freivalds' check.
 * SPDX-License-Identifier: MIT */
#include "product_freivalds.h"

#include "parallel.h"

#include <math.h>
#include <string.h>

/* So many elements are converted at a time. */
enum { CHUNK = 512 };

/* Converts the elements (row, col) to (row, col + count - 1) to double. Elements in one stored row are contiguous. The
 * others are mirrored or transposed, and lie a row apart in memory. */
static void widen(double *to, const struct product_freivalds *pass, int64_t row, int64_t col, int64_t count)
{
    int64_t together = pass->layout == LAYOUT_PLAIN ? count : 0;
    if (pass->layout == LAYOUT_LOWER && row >= col)
        together = row - col + 1 < count ? row - col + 1 : count;
    const int64_t first = row * pass->cols + col;
    if (pass->precision == F32)
        for (int64_t i = 0; i < together; i++)
            to[i] = (double)((const float *)pass->matrix)[first + i];
    else if (together > 0)
        memcpy(to, (const double *)pass->matrix + first, (size_t)together * sizeof *to);
    for (int64_t i = together; i < count; i++)
        to[i] = operand_value(pass->matrix, pass->precision,
                              layout_index(pass->layout, pass->rows, pass->cols, row, col + i));
}

/* Converts elements to integers. Returns false if an element is not an integer of at most 53 bits. */
static bool widen_integers(uint64_t *to, const struct product_freivalds *pass, int64_t row, int64_t col, int64_t count)
{
    double reals[CHUNK];
    bool integers = true;

    if (pass->precision == I32) {
        const int32_t *matrix = pass->matrix;
        for (int64_t i = 0; i < count; i++)
            to[i] = (uint64_t)(int64_t)matrix[layout_index(pass->layout, pass->rows, pass->cols, row, col + i)];
        return true;
    }
    widen(reals, pass, row, col, count);
    for (int64_t i = 0; i < count; i++) {
        const bool small = fabs(reals[i]) <= 0x1p53;
        const int64_t integer = small ? (int64_t)reals[i] : 0;
        integers = integers && small && (double)integer == reals[i];
        to[i] = (uint64_t)integer;
    }
    return integers;
}

static void pass_integers(const struct product_freivalds *pass, int64_t row)
{
    uint64_t element[CHUNK], sum[CHECK_VECTORS] = {0};
    double norm2 = 0;
    bool integral = true;

    for (int64_t j = 0; j < pass->cols; j += CHUNK) {
        const int64_t count = pass->cols - j < CHUNK ? pass->cols - j : CHUNK;
        const uint64_t *factor = pass->factor + CHECK_VECTORS * j;
        if (!widen_integers(element, pass, row, j, count))
            integral = false;
        for (int64_t i = 0; i < count; i++) {
            for (int v = 0; v < CHECK_VECTORS; v++)
                sum[v] += element[i] * factor[CHECK_VECTORS * i + v];
            norm2 += (double)(int64_t)element[i] * (double)(int64_t)element[i];
        }
    }
    memcpy(pass->product + CHECK_VECTORS * row, sum, sizeof sum);
    if (pass->norm2) {
        pass->norm2[row] = norm2;
        pass->integral[row] = integral;
    }
}

/* Adds x to *sum + *rest; Knuth's TwoSum keeps the rounding error of *sum in *rest. */
static inline void add_exactly(double *sum, double *rest, double x)
{
    const double next = *sum + x, part = next - *sum;
    *rest += (*sum - (next - part)) + (x - part);
    *sum = next;
}

static void pass_reals(const struct product_freivalds *pass, int64_t row)
{
    double element[CHUNK], sum[CHECK_VECTORS] = {0}, rest[CHECK_VECTORS] = {0};
    double weighted = 0, norm2 = 0;

    for (int64_t j = 0; j < pass->cols; j += CHUNK) {
        const int64_t count = pass->cols - j < CHUNK ? pass->cols - j : CHUNK;
        const double *high = pass->factor_high + CHECK_VECTORS * j;
        widen(element, pass, row, j, count);
        if (pass->factor_low) {
            const double *low = pass->factor_low + CHECK_VECTORS * j;
            for (int64_t i = 0; i < CHECK_VECTORS * count; i++) {
                const double x = element[i / CHECK_VECTORS], product = x * high[i];
                add_exactly(&sum[i % CHECK_VECTORS], &rest[i % CHECK_VECTORS], product);
                rest[i % CHECK_VECTORS] += fma(x, high[i], -product) + x * low[i];
            }
        } else {
            for (int64_t i = 0; i < count; i++)
                for (int v = 0; v < CHECK_VECTORS; v++)
                    add_exactly(&sum[v], &rest[v], element[i] * high[CHECK_VECTORS * i + v]);
        }
        if (pass->weighted)
            for (int64_t i = 0; i < count; i++)
                weighted += fabs(element[i]) * (pass->weight ? pass->weight[j + i] : 1);
        if (pass->norm2)
            for (int64_t i = 0; i < count; i++)
                norm2 += element[i] * element[i];
    }
    memcpy(pass->product_high + CHECK_VECTORS * row, sum, sizeof sum);
    memcpy(pass->product_low + CHECK_VECTORS * row, rest, sizeof rest);
    if (pass->weighted)
        pass->weighted[row] = weighted;
    if (pass->norm2)
        pass->norm2[row] = norm2;
}

static void pass_shares(int64_t begin, int64_t end, void *context)
{
    const struct product_freivalds *pass = context;
    const int64_t first = begin * pass->rows_a_share, after = end * pass->rows_a_share;
    for (int64_t row = first; row < after && row < pass->rows; row++)
        if (pass->factor)
            pass_integers(pass, row);
        else
            pass_reals(pass, row);
}

void product_freivalds(struct product_freivalds pass)
{
    pass.rows_a_share = PRODUCT_SHARE / pass.cols + 1;
    parallel_for((pass.rows + pass.rows_a_share - 1) / pass.rows_a_share, pass_shares, &pass);
}
