/* Checks the verifier of a matrix times its own transpose. It must handle the transposed operand, results of which only
 * the lower triangle counts, and results whose triangles must be equal bit for bit.
 * SPDX-License-Identifier: MIT */
#include "cell.h"
#include "point.h"
#include "test.h"

#include <math.h>

enum { TILE = 16, SEED = 42 };

/* C = A A^T in the cell's precision; both triangles are equal bit for bit. */
static void multiply_by_transpose(const struct point *point)
{
    const struct cell *cell = &point->cell;
    const void *a = point->operand[0];
    for (int64_t i = 0; i < cell->n; i++)
        for (int64_t j = 0; j < cell->n; j++) {
            double f64 = 0;
            float f32 = 0;
            for (int64_t l = 0; l < cell->k; l++) {
                const double x = operand_value(a, cell->precision, i * cell->k + l);
                const double y = operand_value(a, cell->precision, j * cell->k + l);
                f64 += x * y;
                f32 += (float)x * (float)y;
            }
            operand_put(point->operand[1], cell->precision, i * cell->n + j,
                        cell->precision == F32 ? (double)f32 : f64);
        }
}

/* Calls `check` with a right result of a variant, for each precision, shape and kind of inputs. */
static void each_symmetric_point(const char *variant, void (*check)(struct point *point))
{
    static const int64_t shape[][2] = {{1, 1},   {1, 9},         {TILE - 1, TILE}, {TILE, 3},
                                       {33, 33}, {70, TILE + 1}, {130, 40},        {600, 5}};
    for (int64_t precision = F32; precision <= F64; precision++)
        for (size_t i = 0; i < sizeof shape / sizeof *shape; i++)
            for (int inputs = INPUTS_EXACT; inputs <= INPUTS_RANDOM; inputs++) {
                const struct cell cell = {
                    .precision = precision, .n = shape[i][0], .k = shape[i][1], .entry = registry_find(variant)};
                struct point point;
                point_open(&point, &cell, (enum inputs)inputs, SEED);
                multiply_by_transpose(&point);
                check(&point);
                point_close(&point);
            }
}

static void must_pass(const struct point *point)
{
    const struct verdict verdict = point_verify(point);
    if (!verdict.ok)
        print_error("%s\n", verdict.reason);
    assert_true(verdict.ok);
    assert_true(verdict.error <= verdict.bound);
}

static void check_no_promise(struct point *point)
{
    const struct cell *cell = &point->cell;
    const size_t size = cell_precision_size(cell->precision);
    must_pass(point);
    memset((char *)point->operand[1] + ((size_t)cell->n - 1) * size, 0xFF, size);
    assert_false(point_verify(point).ok);
    multiply_by_transpose(point);
    const int64_t last = cell->n * cell->n - 1;
    const double term = pow(operand_value(point->operand[0], cell->precision, cell->n * cell->k - 1), 2);
    operand_put(point->operand[1], cell->precision, last,
                operand_value(point->operand[1], cell->precision, last) - (term > 0 ? term : 1));
    assert_false(point_verify(point).ok);
}

TEST(products_without_a_promise_are_judged_whole)
{
    each_symmetric_point("aat/seq-ijk", check_no_promise);
}

static void check_lower(struct point *point)
{
    const struct cell *cell = &point->cell;
    const int64_t n = cell->n;
    const size_t size = cell_precision_size(cell->precision);
    char *c = point->operand[1], reason[64];
    double norm2 = 0;
    for (int64_t i = 0; i < n * n; i++)
        norm2 += pow(operand_value(c, cell->precision, i), 2);
    for (int64_t i = 0; i < n; i++)
        memset(c + (size_t)(i * n + i + 1) * size, 0xFF, (size_t)(n - i - 1) * size);
    must_pass(point);
    assert_true(fabs(point_verify(point).norm2 - norm2) <= 1e-12 * norm2);

    for (int64_t row = 0; row < n; row += 1 + n / 7) {
        const int64_t at = row * n + row / 2;
        const double value = operand_value(c, cell->precision, at);
        operand_put(c, cell->precision, at, value + 1);
        assert_false(point_verify(point).ok);
        memset(c + (size_t)at * size, 0xFF, size);
        snprintf(reason, sizeof reason, "C(%lld, %lld) was not written", (long long)row, (long long)(row / 2));
        assert_string_equal(point_verify(point).reason, reason);
        operand_put(c, cell->precision, at, value);
    }
    must_pass(point);
}

TEST(a_variant_of_the_lower_triangle_may_leave_the_upper_one)
{
    each_symmetric_point("aat/blas-openblas-syrk", check_lower);
}

static void check_mirrored(struct point *point)
{
    const struct cell *cell = &point->cell;
    const int64_t n = cell->n;
    const size_t size = cell_precision_size(cell->precision);
    must_pass(point);
    /* The lowest bit of one element is wrong. This is noise for random inputs, but breaks the variant's promise. */
    for (int64_t row = 0; row < n - 1; row += 1 + n / 7) {
        const int64_t col = row + 1 + (n - row - 2) / 2;
        char *byte = (char *)point->operand[1] + (size_t)(row * n + col) * size, reason[128];
        *byte ^= 1;
        const struct verdict verdict = point_verify(point);
        assert_false(verdict.ok);
        assert_false(verdict.error <= verdict.bound);
        snprintf(reason, sizeof reason, "C(%lld, %lld) is not bit for bit C(%lld, %lld)", (long long)col,
                 (long long)row, (long long)row, (long long)col);
        if (point->inputs == INPUTS_RANDOM)
            assert_memory_equal(verdict.reason, reason, strlen(reason));
        *byte ^= 1;
    }
    must_pass(point);
}

TEST(mirrored_triangles_are_equal_bit_for_bit)
{
    each_symmetric_point("aat/cuda-sym", check_mirrored);
}

/* Of several differences, the verifier tells the first one in the order of rows of the lower triangle. */
TEST(the_first_difference_of_the_triangles_is_told)
{
    const struct cell cell = {.precision = F32, .n = 200, .k = 4, .entry = registry_find("aat/cuda-sym")};
    struct point point;
    point_open(&point, &cell, INPUTS_RANDOM, SEED);
    multiply_by_transpose(&point);
    ((char *)point.operand[1])[(3 * 200 + 150) * sizeof(float)] ^= 1;
    ((char *)point.operand[1])[(120 * 200 + 150) * sizeof(float)] ^= 1;
    ((char *)point.operand[1])[(0 * 200 + 199) * sizeof(float)] ^= 1;
    assert_non_null(strstr(point_verify(&point).reason, "C(150, 3) is not bit for bit C(3, 150)"));
    point_close(&point);
}
