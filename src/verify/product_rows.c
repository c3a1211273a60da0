/* Some rows of a product in higher precision.
 * SPDX-License-Identifier: MIT
 *
 * Each f64 element is split into a high part and a rest. The high part has so few bits that a sum of k products of high
 * parts is exact in double. Only products with a rest are rounded, and these are at least 2^15 times smaller. This is
 * nearly as precise as double-double arithmetic, takes three plain products, and vectorises. Products of f32 elements
 * are exact in double as they are. */
#include "product_rows.h"

#include "inputs.h"
#include "parallel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A panel of Y has DEPTH rows and QUADS x 4 columns. One quad of columns stays in the first-level cache. */
enum { QUADS = 4, COLS = 4 * QUADS, DEPTH = 128 };

typedef double pair __attribute__((vector_size(16)));
typedef int64_t pair_bits __attribute__((vector_size(16)));

struct quad {
    double high[DEPTH][4], low[DEPTH][4], whole[DEPTH][4];
};

struct sums {
    double high[4], low[4], scale[4];
} __attribute__((aligned(16)));

struct work {
    const struct product_rows *of;
    const double *x_high, *x_low; /* rows x k */
    double split;                 /* (x + split) - split is the high part of x */
    double *high, *low, *scale;
};

static inline pair magnitude(pair x)
{
    return (pair)((pair_bits)x & INT64_MAX);
}

static inline pair load(const double *from)
{
    return *(const pair *)from;
}

/* Multiplies a row of X by four columns of Y. `split` is true for f64. It is a constant in each use, so the loop does
 * not test it. */
static inline __attribute__((always_inline)) void multiply(const bool split, const double *a_high, const double *a_low,
                                                           const struct quad *b, int64_t depth, struct sums *sums)
{
    pair high0 = load(sums->high), high1 = load(sums->high + 2);
    pair low0 = load(sums->low), low1 = load(sums->low + 2);
    pair scale0 = load(sums->scale), scale1 = load(sums->scale + 2);

    for (int64_t l = 0; l < depth; l++) {
        const pair h = {a_high[l], a_high[l]};
        const pair b0 = load(b->whole[l]), b1 = load(b->whole[l] + 2);
        if (split) {
            const pair r = {a_low[l], a_low[l]}, whole = h + r;
            high0 += h * load(b->high[l]);
            high1 += h * load(b->high[l] + 2);
            low0 += h * load(b->low[l]) + r * b0;
            low1 += h * load(b->low[l] + 2) + r * b1;
            scale0 += magnitude(whole * b0);
            scale1 += magnitude(whole * b1);
        } else {
            const pair product0 = h * b0, product1 = h * b1;
            high0 += product0;
            high1 += product1;
            scale0 += magnitude(product0);
            scale1 += magnitude(product1);
        }
    }
    memcpy(sums->high, (pair[]){high0, high1}, sizeof sums->high);
    memcpy(sums->low, (pair[]){low0, low1}, sizeof sums->low);
    memcpy(sums->scale, (pair[]){scale0, scale1}, sizeof sums->scale);
}

/* Loads a panel of Y; columns beyond the last one are zeros. */
static void load_panel(const struct work *work, int64_t first_row, int64_t depth, int64_t first_col,
                       struct quad panel[QUADS])
{
    const struct product_rows *of = work->of;
    for (int64_t l = 0; l < depth; l++)
        for (int j = 0; j < COLS; j++) {
            const int64_t row = first_row + l, col = first_col + j;
            const double y = col < of->n ? of->y(of->context, row, col) : 0;
            const double high = (y + work->split) - work->split;
            struct quad *quad = &panel[j / 4];
            quad->whole[l][j % 4] = y;
            quad->high[l][j % 4] = high;
            quad->low[l][j % 4] = y - high;
        }
}

static void multiply_strip(const struct work *work, int64_t strip)
{
    const struct product_rows *of = work->of;
    const int64_t n = of->n, first = strip * COLS;
    const int64_t k = of->upper && first + COLS < of->k ? first + COLS : of->k;
    struct quad panel[QUADS];
    struct sums sums[PRODUCT_ROWS][QUADS];

    memset(sums, 0, sizeof sums);
    for (int64_t l0 = 0; l0 < k; l0 += DEPTH) {
        const int64_t depth = k - l0 < DEPTH ? k - l0 : DEPTH;
        load_panel(work, l0, depth, first, panel);
        for (int q = 0; q < QUADS; q++)
            for (int64_t i = 0; i < of->rows; i++) {
                const double *x_high = work->x_high + i * of->k + l0;
                const double *x_low = work->x_low + i * of->k + l0;
                if (of->precision == F64)
                    multiply(true, x_high, x_low, &panel[q], depth, &sums[i][q]);
                else
                    multiply(false, x_high, x_low, &panel[q], depth, &sums[i][q]);
            }
    }
    for (int64_t i = 0; i < of->rows; i++)
        for (int64_t j = 0; j < COLS && first + j < n; j++) {
            const struct sums *from = &sums[i][j / 4];
            work->high[i * n + first + j] = from->high[j % 4];
            work->low[i * n + first + j] = from->low[j % 4];
            work->scale[i * n + first + j] = from->scale[j % 4];
        }
}

static void multiply_strips(int64_t begin, int64_t end, void *context)
{
    for (int64_t strip = begin; strip < end; strip++)
        multiply_strip(context, strip);
}

bool product_rows_multiply(const struct product_rows *of, double *high, double *low, double *scale)
{
    const int64_t k = of->k, strips = (of->n + COLS - 1) / COLS;
    double *x_high = malloc((size_t)(of->rows * k) * sizeof *x_high);
    double *x_low = malloc((size_t)(of->rows * k) * sizeof *x_low);
    const bool ok = x_high && x_low;

    if (ok) {
        /* A sum of k products of two parts of `bits` bits fits into 53 bits. */
        const int bits = (53 - (int)ceil(log2((double)k))) / 2;
        struct work work = {of, x_high, x_low, 0, high, low, scale};
        if (of->precision == F64)
            work.split = ldexp(1.5, 52 - bits);
        for (int64_t i = 0; i < of->rows; i++)
            for (int64_t l = 0; l < k; l++) {
                const double x = of->x(of->context, i, l);
                x_high[i * k + l] = (x + work.split) - work.split;
                x_low[i * k + l] = x - x_high[i * k + l];
            }
        /* A product of a few thousand multiply-adds does not pay for a second thread. */
        if (of->rows * k * of->n > 1 << 16)
            parallel_for(strips, multiply_strips, &work);
        else
            multiply_strips(0, strips, &work);
    }
    free(x_high);
    free(x_low);
    return ok;
}

int64_t product_rows_choose(int64_t of, uint64_t seed, uint32_t stream, int64_t chosen[PRODUCT_ROWS])
{
    const int64_t count = of < PRODUCT_ROWS ? of : PRODUCT_ROWS;
    for (int64_t i = 0; i < count; i++) {
        const int64_t low = of / PRODUCT_ROWS * i + of % PRODUCT_ROWS * i / PRODUCT_ROWS;
        const int64_t high = of / PRODUCT_ROWS * (i + 1) + of % PRODUCT_ROWS * (i + 1) / PRODUCT_ROWS;
        chosen[i] = of <= PRODUCT_ROWS ? i : inputs_integer(seed, stream, (uint64_t)i, low, high - 1);
    }
    chosen[0] = 0;
    chosen[count - 1] = of - 1;
    return count;
}
