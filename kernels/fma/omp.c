/* m sums y = a y + b of n steps each, in groups of 12 SIMD vectors: enough for two FMA units of latency 5.
 * X (m) holds the first values, P (2) holds a and b, Y (m) the results; any m: the last group is filled up with zeros.
 * The threads share the groups.
 * n is at most 2^23 in f32: a larger count would not be exact.
 * Source: tilelab (probe).
 * SPDX-License-Identifier: MIT */
#include "variant.h"

/* A vector is as wide as this build's instruction set allows. It has LANES elements. */
#if defined(__AVX512F__)
enum { VECTOR_BYTES = 64 };
#elif defined(__AVX2__)
enum { VECTOR_BYTES = 32 };
#else
enum { VECTOR_BYTES = 16 };
#endif
enum { LANES = VECTOR_BYTES / sizeof(real), VECTORS = 12, GROUP = VECTORS * LANES };
typedef real vector __attribute__((vector_size(VECTOR_BYTES)));

static void iterate(int64_t n, real a, real b, vector sum[VECTORS])
{
    vector s0 = sum[0], s1 = sum[1], s2 = sum[2], s3 = sum[3], s4 = sum[4], s5 = sum[5];
    vector s6 = sum[6], s7 = sum[7], s8 = sum[8], s9 = sum[9], s10 = sum[10], s11 = sum[11];
    const vector factor = (vector){0} + a, term = (vector){0} + b;

    for (int64_t i = 0; i < n; i++) {
        s0 = s0 * factor + term;
        s1 = s1 * factor + term;
        s2 = s2 * factor + term;
        s3 = s3 * factor + term;
        s4 = s4 * factor + term;
        s5 = s5 * factor + term;
        s6 = s6 * factor + term;
        s7 = s7 * factor + term;
        s8 = s8 * factor + term;
        s9 = s9 * factor + term;
        s10 = s10 * factor + term;
        s11 = s11 * factor + term;
    }
    sum[0] = s0, sum[1] = s1, sum[2] = s2, sum[3] = s3, sum[4] = s4, sum[5] = s5;
    sum[6] = s6, sum[7] = s7, sum[8] = s8, sum[9] = s9, sum[10] = s10, sum[11] = s11;
}

static int run(struct job *job)
{
    const int64_t m = job->cell->m, n = job->cell->n;
    const real *x = job->operand[0], *p = job->operand[1];
    real *y = job->operand[2];

#pragma omp parallel for schedule(static) default(none) shared(m, n, x, p, y)
    for (int64_t first = 0; first < m; first += GROUP) {
        const int64_t count = m - first < GROUP ? m - first : GROUP;
        vector sum[VECTORS] = {{0}};
        for (int64_t i = 0; i < count; i++)
            sum[i / LANES][i % LANES] = x[first + i];
        iterate(n, p[0], p[1], sum);
        for (int64_t i = 0; i < count; i++)
            y[first + i] = sum[i / LANES][i % LANES];
    }
    return 0;
}

static const char *reject(const struct cell *cell)
{
    if (cell->precision == F32 && cell->n > 1 << 23)
        return cell_reason("f32 counts exactly to 2^23 steps, not to %lld", (long long)cell->n);
    return NULL;
}

VARIANT(fma, omp) = {
    .summary = "12 SIMD vectors of independent sums in registers for each thread",
    .summary_ru = "12 SIMD-векторов независимых сумм в регистрах каждого потока",
    .source = "tilelab",
    .precisions = ALL_PRECISIONS,
    .axes = HONOURS(threads),
    .typical_gflops = 50,
    .reject = reject,
    .run = run,
};
