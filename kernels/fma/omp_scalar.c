/* m sums y = a y + b of n steps each, 12 sums at a time, each in a register of its own: no SIMD.
 * X (m) holds the first values, P (2) holds a and b, Y (m) the results; any m: the last group is filled up with zeros.
 * The threads share the groups of 12 sums.
 * n is at most 2^23 in f32: a larger count would not be exact.
 * Differs from omp: one element a register. An empty asm statement stops the compiler from using SIMD vectors.
 * Source: tilelab (probe).
 * SPDX-License-Identifier: MIT */
#include "variant.h"

#if defined(TILELAB_I32)
#define IN_REGISTER "+r"
#elif defined(__x86_64__)
#define IN_REGISTER "+x"
#elif defined(__aarch64__)
#define IN_REGISTER "+w"
#else
#define IN_REGISTER "+g"
#endif

enum { GROUP = 12 };

static void iterate(int64_t n, real a, real b, real sum[GROUP])
{
    real s0 = sum[0], s1 = sum[1], s2 = sum[2], s3 = sum[3], s4 = sum[4], s5 = sum[5];
    real s6 = sum[6], s7 = sum[7], s8 = sum[8], s9 = sum[9], s10 = sum[10], s11 = sum[11];

#define STEP(s) \
    do { \
        s = s * a + b; \
        __asm__("" : IN_REGISTER(s)); \
    } while (0)
    for (int64_t i = 0; i < n; i++) {
        STEP(s0);
        STEP(s1);
        STEP(s2);
        STEP(s3);
        STEP(s4);
        STEP(s5);
        STEP(s6);
        STEP(s7);
        STEP(s8);
        STEP(s9);
        STEP(s10);
        STEP(s11);
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
        real sum[GROUP] = {0};
        for (int64_t i = 0; i < count; i++)
            sum[i] = x[first + i];
        iterate(n, p[0], p[1], sum);
        for (int64_t i = 0; i < count; i++)
            y[first + i] = sum[i];
    }
    return 0;
}

static const char *reject(const struct cell *cell)
{
    if (cell->precision == F32 && cell->n > 1 << 23)
        return cell_reason("f32 counts exactly to 2^23 steps, not to %lld", (long long)cell->n);
    return NULL;
}

VARIANT(fma, omp_scalar) = {
    .summary = "12 independent scalar sums in registers for each thread",
    .summary_ru = "12 независимых скалярных сумм в регистрах каждого потока",
    .source = "tilelab",
    .precisions = ALL_PRECISIONS,
    .axes = HONOURS(threads),
    .typical_gflops = 5,
    .reject = reject,
    .run = run,
};
