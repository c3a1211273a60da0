/* The comparison of the factors' product with the matrix that was factored.
 * SPDX-License-Identifier: MIT */
#include "verify_parts.h"

#include "verify/product_rows.h"

#include <math.h>

/* Some rows of L U; or some columns of L U, which are rows of its transpose U' L'. */
struct lines {
    const struct judged *judged;
    const int64_t *line;
    double l_scale, u_scale; /* powers of two that bring both factors into [-1, 1] */
};

static double l_at(const struct lines *lines, int64_t row, int64_t col)
{
    if (col >= row)
        return col == row ? lines->l_scale : 0;
    return at(&lines->judged->factors, row, col) * lines->l_scale;
}

static double u_at(const struct lines *lines, int64_t row, int64_t col)
{
    return col < row ? 0 : at(&lines->judged->factors, row, col) * lines->u_scale;
}

static double row_of_l(const void *context, int64_t i, int64_t l)
{
    const struct lines *lines = context;
    return l_at(lines, lines->line[i], l);
}

static double from_u(const void *context, int64_t l, int64_t col)
{
    return u_at(context, l, col);
}

static double column_of_u(const void *context, int64_t i, int64_t l)
{
    const struct lines *lines = context;
    return u_at(lines, l, lines->line[i]);
}

static double from_l(const void *context, int64_t l, int64_t row)
{
    return l_at(context, row, l);
}

/* The products for up to PRODUCT_ROWS lines. */
struct sums {
    double *high, *low, *scale;
};

/* Compares some lines of L U with A; `line` is ascending. *worst becomes the largest ratio of an error to u |L||U|. */
static bool compare_lines(struct judged *judged, const int64_t *line, int64_t count, bool columns,
                          const struct sums *sums, double u, double *worst)
{
    const struct matrix *factors = &judged->factors, a = original(judged->reference);
    const int64_t n = factors->n;
    const struct lines lines = {judged, line, ldexp(1, -ilogb(judged->largest_l) - 1),
                                ldexp(1, -ilogb(judged->largest_u) - 1)};
    const struct product_rows rows = {.precision = factors->precision,
                                      .rows = count,
                                      .k = line[count - 1] + 1,
                                      .n = n,
                                      .x = columns ? column_of_u : row_of_l,
                                      .y = columns ? from_l : from_u,
                                      .context = &lines,
                                      .upper = true};
    if (!product_rows_multiply(&rows, sums->high, sums->low, sums->scale))
        return no_memory(judged);
    for (int64_t i = 0; i < count; i++)
        for (int64_t j = 0; j < n; j++) {
            const int64_t row = columns ? j : line[i], col = columns ? line[i] : j;
            const double expected = at(&a, judged->row[row], col) * lines.l_scale * lines.u_scale;
            const double error = fabs((sums->high[i * n + j] - expected) + sums->low[i * n + j]);
            const double scale = u * sums->scale[i * n + j];
            const double ratio = error == 0 ? 0 : error / scale;
            if (!(ratio <= *worst)) {
                *worst = ratio;
                snprintf(judged->verdict->reason, sizeof judged->verdict->reason,
                         "(LU)(%lld, %lld) is off by %.3g times u|L||U|", (long long)row, (long long)col, ratio);
            }
            if (!(ratio < INFINITY))
                return verdict_refuse(judged->verdict, "(LU)(%lld, %lld) is not what A has there", (long long)row,
                                      (long long)col);
        }
    return true;
}

static bool compare_chosen(struct judged *judged, const struct sums *sums, double u, double *worst)
{
    const int64_t n = judged->factors.n;
    const uint64_t seed = judged->reference->seed;
    int64_t line[PRODUCT_ROWS];
    if (n <= LU_WHOLE) {
        for (int64_t first = 0; first < n; first += PRODUCT_ROWS) {
            const int64_t count = n - first < PRODUCT_ROWS ? n - first : PRODUCT_ROWS;
            for (int64_t i = 0; i < count; i++)
                line[i] = first + i;
            if (!compare_lines(judged, line, count, false, sums, u, worst))
                return false;
        }
        return true;
    }
    const int64_t rows = product_rows_choose(n, seed, STREAM_CHOSEN_ROWS, line);
    if (!compare_lines(judged, line, rows, false, sums, u, worst))
        return false;
    const int64_t cols = product_rows_choose(n, seed, STREAM_CHOSEN_COLS, line);
    return compare_lines(judged, line, cols, true, sums, u, worst);
}

bool lu_verify_product(struct judged *judged, double u)
{
    const int64_t count = PRODUCT_ROWS * judged->factors.n;
    const struct sums sums = {reals(count), reals(count), reals(count)};
    const double root = sqrt((double)judged->factors.n);
    double worst = 0;
    bool ok = sums.high && sums.low && sums.scale ? compare_chosen(judged, &sums, u, &worst) : no_memory(judged);
    free(sums.high);
    free(sums.low);
    free(sums.scale);
    if (!ok)
        return false;
    judged->verdict->error = worst / root;
    judged->verdict->ok = judged->verdict->error <= judged->verdict->bound;
    if (judged->verdict->ok)
        judged->verdict->reason[0] = '\0';
    return judged->verdict->ok;
}
