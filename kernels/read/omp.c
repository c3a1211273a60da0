/* s = the sum of A, which is read `passes` times, in 8 SIMD vectors of partial sums.
 * A (1 x n) is contiguous, S is 1 x 1; any n. The 8 vectors are independent, so that loads and not additions limit the
 * rate. A thread makes all passes over its own neighbouring elements. One thread works outside OpenMP.
 * The elements are small integers, so their sum does not depend on the order.
 * Source: tilelab (probe).
 * SPDX-License-Identifier: MIT */
#include "passes.h"

/* A vector is as wide as this build's instruction set allows. It has LANES elements. */
#if defined(__AVX512F__)
enum { VECTOR_BYTES = 64 };
#elif defined(__AVX2__)
enum { VECTOR_BYTES = 32 };
#else
enum { VECTOR_BYTES = 16 };
#endif
enum { LANES = VECTOR_BYTES / sizeof(real), VECTORS = 8, GROUP = VECTORS * LANES };
typedef real vector __attribute__((vector_size(VECTOR_BYTES)));
typedef real unaligned __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(real)), may_alias));

static real sum_groups(const real *a, int64_t groups, int64_t passes)
{
    vector s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0}, s4 = {0}, s5 = {0}, s6 = {0}, s7 = {0};

    for (int64_t pass = 0; pass < passes; pass++) {
        const real *at = a;
        for (int64_t i = 0; i < groups; i++, at += GROUP) {
            const unaligned *from = (const unaligned *)at;
            s0 += from[0];
            s1 += from[1];
            s2 += from[2];
            s3 += from[3];
            s4 += from[4];
            s5 += from[5];
            s6 += from[6];
            s7 += from[7];
        }
        __asm__("" ::: "memory"); /* the compiler must assume that A has changed, so it cannot reuse a sum */
    }
    const vector all = ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7));
    real sum = 0;
    for (int lane = 0; lane < LANES; lane++)
        sum += all[lane];
    return sum;
}

static int run(struct job *job)
{
    const int64_t n = job->cell->n, passes = read_passes(job->cell), groups = n / GROUP;
    const int64_t threads = job->cell->threads > 1 ? job->cell->threads : 1;
    const real *a = job->operand[0];
    real sum = 0;

    if (threads == 1) {
        sum = sum_groups(a, groups, passes);
    } else {
#pragma omp parallel for schedule(static) default(none) shared(a, groups, passes, threads) reduction(+ : sum)
        for (int64_t share = 0; share < threads; share++) {
            const int64_t first = groups * share / threads, after = groups * (share + 1) / threads;
            sum += sum_groups(a + first * GROUP, after - first, passes);
        }
    }
    for (int64_t i = groups * GROUP; i < n; i++)
        sum += (real)passes * a[i];
    *(real *)job->operand[1] = sum;
    return 0;
}

VARIANT(read, omp) = {
    .summary = "eight SIMD vectors of partial sums for each thread",
    .summary_ru = "восемь SIMD-векторов частичных сумм на поток",
    .source = "tilelab",
    .precisions = ALL_PRECISIONS,
    .axes = HONOURS(threads),
    .unit = UNIT_MEMORY,
    .typical_gflops = 1,
    .run = run,
};
