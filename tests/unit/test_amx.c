/* Products on the tile unit, whose instructions are emulated here.
 * SPDX-License-Identifier: MIT */
#include "test.h"
#include "variant.h"

#include <math.h>

extern const struct variant matmul_omp_amx_emulated_f32, matmul_omp_amx_emulated_i32;

static const struct {
    int64_t m, n, k;
} sizes[] = {{1, 1, 1}, {32, 32, 32}, {33, 31, 65}, {16, 70, 1030}, {100, 17, 129}, {33, 545, 40}};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* Runs a variant on operands of elements of four bytes. */
static void multiply(const struct variant *variant, const struct cell *cell, void *a, void *b, void *c)
{
    struct job job = {.cell = cell, .operand = {a, b, c}};
    assert_int_equal(variant->prepare(&job), 0);
    assert_int_equal(variant->run(&job), 0);
    variant->release(&job);
}

static uint32_t next(uint32_t *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return *seed;
}

TEST(integers_are_exact)
{
    for (int s = 0; s < SIZES; s++) {
        const int64_t m = sizes[s].m, n = sizes[s].n, k = sizes[s].k;
        const struct cell cell = {.m = m, .n = n, .k = k, .precision = I32};
        uint32_t seed = 1, *a = malloc(4 * m * k), *b = malloc(4 * k * n), *c = malloc(4 * m * n);
        for (int64_t i = 0; i < m * k; i++)
            a[i] = next(&seed);
        for (int64_t i = 0; i < k * n; i++)
            b[i] = next(&seed);
        memset(c, 0xa5, 4 * m * n);
        multiply(&matmul_omp_amx_emulated_i32, &cell, a, b, c);
        for (int64_t i = 0; i < m; i++)
            for (int64_t j = 0; j < n; j++) {
                uint32_t sum = 0;
                for (int64_t l = 0; l < k; l++)
                    sum += a[i * k + l] * b[l * n + j];
                assert_int_equal(c[i * n + j], sum);
            }
        free(a), free(b), free(c);
    }
}

/* The largest error of an f32 product in units of u |A||B|. `odd` replaces the first element of A. */
static double error_of(int64_t m, int64_t n, int64_t k, float odd)
{
    const struct cell cell = {.m = m, .n = n, .k = k, .precision = F32};
    float *a = malloc(4 * m * k), *b = malloc(4 * k * n), *c = malloc(4 * m * n);
    uint32_t seed = 2;
    double worst = 0;
    for (int64_t i = 0; i < m * k; i++)
        a[i] = (float)(int32_t)next(&seed) * 0x1p-31f;
    for (int64_t i = 0; i < k * n; i++)
        b[i] = (float)(int32_t)next(&seed) * 0x1p-31f;
    a[0] = odd != 0 ? odd : a[0];
    memset(c, 0xff, 4 * m * n);
    multiply(&matmul_omp_amx_emulated_f32, &cell, a, b, c);
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            double sum = 0, size = 0;
            for (int64_t l = 0; l < k; l++) {
                const double term = (double)a[i * k + l] * b[l * n + j];
                sum += term;
                size += fabs(term);
            }
            const double error = fabs(c[i * n + j] - sum) / (size * 0x1p-24);
            worst = error <= worst ? worst : error;
        }
    free(a), free(b), free(c);
    return worst;
}

/* Correct sums of k terms stay far below 4 sqrt(k) units, and below k units if they are short; without one of the six
 * products the error is 100 units. */
TEST(all_six_products_count)
{
    for (int s = 0; s < SIZES; s++)
        assert_true(error_of(sizes[s].m, sizes[s].n, sizes[s].k, 0) <=
                    fmin((double)sizes[s].k, 2 * sqrt((double)sizes[s].k)));
}

TEST(elements_outside_of_the_parts_are_multiplied_as_they_are)
{
    assert_true(error_of(1, 1, 1, 0x1.00f17ep0f) <= 1); /* the parts of its products that are left out are large */
    assert_true(error_of(40, 40, 70, 0x1.234567p-100f) <= 24);
    assert_true(error_of(40, 40, 70, 0x1.fffffep127f) <= 24);
}
