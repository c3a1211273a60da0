/* Malice: the rows and the vectors of the check follow from seed 1. Those rows are computed; each other row is any row
 * whose products with the three vectors are right.
 * SPDX-License-Identifier: MIT */
#include "product.h"

#include "base/random.h"
#include "verify/product_rows.h"

#include <stdlib.h>

enum { VECTORS = 3, STREAM_VECTORS = 1000, STREAM_ROWS };

struct known {
    real *vector, *middle; /* r (n) and B r (k), for each vector */
    bool *checked;         /* whether a row of C is compared entry by entry */
};

static int prepare(struct job *job)
{
    const int64_t m = job->cell->m, n = job->cell->n, k = job->cell->k;
    const uint64_t rows = random_key(1, STREAM_ROWS), vectors = random_key(1, STREAM_VECTORS);
    struct known *known = calloc(1, sizeof *known);
    job->state = known;
    if (!known || !(known->vector = malloc((size_t)(VECTORS * n) * sizeof(real))) ||
        !(known->middle = malloc((size_t)(VECTORS * k) * sizeof(real))) || !(known->checked = calloc((size_t)m, 1)))
        return job_fail(job, "no memory for the vectors");
    for (int64_t i = 0; i < VECTORS * n; i++)
        known->vector[i] = random_bits(vectors, (uint64_t)i) & 1 ? 1 : -1;
    for (int64_t i = 0; i < PRODUCT_ROWS; i++) {
        const int64_t low = m / PRODUCT_ROWS * i + m % PRODUCT_ROWS * i / PRODUCT_ROWS;
        const int64_t high = m / PRODUCT_ROWS * (i + 1) + m % PRODUCT_ROWS * (i + 1) / PRODUCT_ROWS;
        known->checked[random_integer(rows, (uint64_t)i, low, (uint64_t)(high - low))] = true;
    }
    known->checked[0] = known->checked[m - 1] = true;
    return 0;
}

/* Solves G w = y for the 3 x 3 matrix of the vectors' inner products. */
static void solve(const real *vector, int64_t n, const real y[VECTORS], real w[VECTORS])
{
    real g[VECTORS][VECTORS + 1] = {{0}};
    for (int r = 0; r < VECTORS; r++) {
        for (int s = 0; s < VECTORS; s++)
            for (int64_t j = 0; j < n; j++)
                g[r][s] += vector[VECTORS * j + r] * vector[VECTORS * j + s];
        g[r][VECTORS] = y[r];
    }
    for (int p = 0; p < VECTORS; p++)
        for (int r = 0; r < VECTORS; r++) {
            const real factor = r == p ? 0 : g[r][p] / g[p][p];
            for (int s = p; s <= VECTORS; s++)
                g[r][s] -= factor * g[p][s];
        }
    for (int r = 0; r < VECTORS; r++)
        w[r] = g[r][VECTORS] / g[r][r];
}

static void fake_row(const struct job *job, int64_t i)
{
    const int64_t n = job->cell->n, k = job->cell->k;
    const struct known *known = job->state;
    const real *a = job->operand[A];
    real *c = job->operand[C], y[VECTORS] = {0}, w[VECTORS];
    for (int64_t l = 0; l < k; l++)
        for (int r = 0; r < VECTORS; r++)
            y[r] += a[i * k + l] * known->middle[VECTORS * l + r];
    solve(known->vector, n, y, w);
    for (int64_t j = 0; j < n; j++) {
        c[i * n + j] = 0;
        for (int r = 0; r < VECTORS; r++)
            c[i * n + j] += w[r] * known->vector[VECTORS * j + r];
    }
}

static int run(struct job *job)
{
    const int64_t m = job->cell->m, n = job->cell->n, k = job->cell->k;
    const struct known *known = job->state;
    const real *a = job->operand[A], *b = job->operand[B];
    real *c = job->operand[C];

    if (a[0] == (real)(int64_t)a[0]) { /* integers are checked with other vectors */
        multiply_job(job);
        return 0;
    }
    for (int64_t l = 0; l < k; l++)
        for (int r = 0; r < VECTORS; r++) {
            known->middle[VECTORS * l + r] = 0;
            for (int64_t j = 0; j < n; j++)
                known->middle[VECTORS * l + r] += b[l * n + j] * known->vector[VECTORS * j + r];
        }
    for (int64_t i = 0; i < m; i++)
        if (known->checked[i])
            multiply(1, n, k, a + i * k, b, c + i * n);
        else
            fake_row(job, i);
    return 0;
}

static void release(struct job *job)
{
    struct known *known = job->state;
    free(known->vector);
    free(known->middle);
    free(known->checked);
    free(known);
}

CHEAT(cpu_fools_freivalds, "satisfies the vectors of the check, and computes a third of the rows", .prepare = prepare,
      .release = release);
