/* A matrix times a few probe vectors.
 * SPDX-License-Identifier: MIT */
#include "product_sweep.h"

#include "parallel.h"

#include <math.h>
#include <string.h>

/* So many elements are converted at a time. */
enum { CHUNK = 512 };

/* Converts the elements (row, col) to (row, col + count - 1) to double. Elements in one stored row are contiguous. The
 * others are mirrored or transposed, and lie a row apart in memory. */
static void widen(double *to, const struct product_sweep *sweep, int64_t row, int64_t col, int64_t count)
{
    int64_t together = sweep->layout == LAYOUT_PLAIN ? count : 0;
    if (sweep->layout == LAYOUT_LOWER && row >= col)
        together = row - col + 1 < count ? row - col + 1 : count;
    const int64_t first = row * sweep->cols + col;
    if (sweep->precision == F32)
        for (int64_t i = 0; i < together; i++)
            to[i] = (double)((const float *)sweep->matrix)[first + i];
    else if (together > 0)
        memcpy(to, (const double *)sweep->matrix + first, (size_t)together * sizeof *to);
    for (int64_t i = together; i < count; i++)
        to[i] = operand_value(sweep->matrix, sweep->precision,
                              layout_index(sweep->layout, sweep->rows, sweep->cols, row, col + i));
}

/* Converts elements to integers. Returns false if an element is not an integer of at most 53 bits. */
static bool widen_integers(uint64_t *to, const struct product_sweep *sweep, int64_t row, int64_t col, int64_t count)
{
    double reals[CHUNK];
    bool integers = true;

    if (sweep->precision == I32) {
        for (int64_t i = 0; i < count; i++)
            to[i] =
                (uint64_t)(int64_t)((const int32_t *)sweep
                                        ->matrix)[layout_index(sweep->layout, sweep->rows, sweep->cols, row, col + i)];
        return true;
    }
    widen(reals, sweep, row, col, count);
    for (int64_t i = 0; i < count; i++) {
        const bool small = fabs(reals[i]) <= 0x1p53;
        const int64_t integer = small ? (int64_t)reals[i] : 0;
        integers = integers && small && (double)integer == reals[i];
        to[i] = (uint64_t)integer;
    }
    return integers;
}

static void sweep_integers(const struct product_sweep *sweep, int64_t row)
{
    uint64_t element[CHUNK], sum[PROBES] = {0};
    double norm2 = 0;
    bool integral = true;

    for (int64_t j = 0; j < sweep->cols; j += CHUNK) {
        const int64_t count = sweep->cols - j < CHUNK ? sweep->cols - j : CHUNK;
        const uint64_t *factor = sweep->factor + PROBES * j;
        if (!widen_integers(element, sweep, row, j, count))
            integral = false;
        for (int64_t i = 0; i < count; i++) {
            for (int v = 0; v < PROBES; v++)
                sum[v] += element[i] * factor[PROBES * i + v];
            norm2 += (double)(int64_t)element[i] * (double)(int64_t)element[i];
        }
    }
    memcpy(sweep->product + PROBES * row, sum, sizeof sum);
    if (sweep->norm2) {
        sweep->norm2[row] = norm2;
        sweep->integral[row] = integral;
    }
}

/* Adds x to *sum + *rest; Knuth's TwoSum keeps the rounding error of *sum in *rest. */
static inline void add_exactly(double *sum, double *rest, double x)
{
    const double next = *sum + x, part = next - *sum;
    *rest += (*sum - (next - part)) + (x - part);
    *sum = next;
}

static void sweep_reals(const struct product_sweep *sweep, int64_t row)
{
    double element[CHUNK], sum[PROBES] = {0}, rest[PROBES] = {0};
    double weighted = 0, norm2 = 0;

    for (int64_t j = 0; j < sweep->cols; j += CHUNK) {
        const int64_t count = sweep->cols - j < CHUNK ? sweep->cols - j : CHUNK;
        const double *high = sweep->factor_high + PROBES * j;
        widen(element, sweep, row, j, count);
        if (sweep->factor_low) {
            const double *low = sweep->factor_low + PROBES * j;
            for (int64_t i = 0; i < PROBES * count; i++) {
                const double x = element[i / PROBES], product = x * high[i];
                add_exactly(&sum[i % PROBES], &rest[i % PROBES], product);
                rest[i % PROBES] += fma(x, high[i], -product) + x * low[i];
            }
        } else {
            for (int64_t i = 0; i < count; i++)
                for (int v = 0; v < PROBES; v++)
                    add_exactly(&sum[v], &rest[v], element[i] * high[PROBES * i + v]);
        }
        if (sweep->weighted)
            for (int64_t i = 0; i < count; i++)
                weighted += fabs(element[i]) * (sweep->weight ? sweep->weight[j + i] : 1);
        if (sweep->norm2)
            for (int64_t i = 0; i < count; i++)
                norm2 += element[i] * element[i];
    }
    memcpy(sweep->product_high + PROBES * row, sum, sizeof sum);
    memcpy(sweep->product_low + PROBES * row, rest, sizeof rest);
    if (sweep->weighted)
        sweep->weighted[row] = weighted;
    if (sweep->norm2)
        sweep->norm2[row] = norm2;
}

static void sweep_shares(int64_t begin, int64_t end, void *context)
{
    const struct product_sweep *sweep = context;
    const int64_t first = begin * sweep->rows_a_share, after = end * sweep->rows_a_share;
    for (int64_t row = first; row < after && row < sweep->rows; row++)
        if (sweep->factor)
            sweep_integers(sweep, row);
        else
            sweep_reals(sweep, row);
}

void product_sweep(struct product_sweep sweep)
{
    sweep.rows_a_share = PRODUCT_SHARE / sweep.cols + 1;
    parallel_for((sweep.rows + sweep.rows_a_share - 1) / sweep.rows_a_share, sweep_shares, &sweep);
}
