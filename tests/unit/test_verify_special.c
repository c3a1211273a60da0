/* Checks the verifiers with inputs that are hard for a product or a factorisation: right results must pass, and results
 * that lose what these inputs are about must fail.
 * SPDX-License-Identifier: MIT */
#include "cell.h"
#include "point.h"
#include "verify/inputs.h"
#include "verify/product.h"
#include "verify/special.h"
#include "test.h"

#include <math.h>

enum { SEED = 42, M = 70, N = 33, K = 50 };

static double get(const struct point *point, int operand, int64_t i)
{
    return operand_value(point->operand[operand], point->cell.precision, i);
}

static void open_product(struct point *point, int64_t precision, enum inputs inputs, int64_t m, int64_t n, int64_t k)
{
    const struct cell cell = {.entry = registry_find("matmul/seq-ijk"), .precision = precision, .m = m, .n = n, .k = k};
    point_open(point, &cell, inputs, SEED);
}

/* C = A B by plain loops in the cell's precision, of factors that `read` may change on the way. */
static void multiply(struct point *point, double (*read)(double value))
{
    const struct cell *cell = &point->cell;
    for (int64_t i = 0; i < cell->m; i++)
        for (int64_t j = 0; j < cell->n; j++) {
            double f64 = 0;
            float f32 = 0;
            for (int64_t l = 0; l < cell->k; l++) {
                const double x = read(get(point, 0, i * cell->k + l)), y = read(get(point, 1, l * cell->n + j));
                f64 += x * y;
                f32 += (float)x * (float)y;
            }
            operand_put(point->operand[2], cell->precision, i * cell->n + j,
                        cell->precision == F32 ? (double)f32 : f64);
        }
}

static double as_it_is(double value)
{
    return value;
}

/* An absolute error that is small only beside the largest elements. */
static double fixed_point(double value)
{
    return (value + 0x1.8p39) - 0x1.8p39;
}

static double denormals_flushed(double value)
{
    return fabs(value) < 0x1p-126 ? 0 : value;
}

static double infinities_clamped(double value)
{
    return isnan(value) ? 0 : fmin(fmax(value, -0x1p127), 0x1p127);
}

TEST(right_results_pass)
{
    static const int64_t sizes[][3] = {{1, 1, 1}, {M, N, K}, {3, 70, 9}, {150, 3, 65}};
    for (int kind = INPUTS_GRADED; kind <= INPUTS_NONFINITE; kind++)
        for (int64_t precision = F32; precision <= F64; precision++)
            for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
                struct point point;
                open_product(&point, precision, (enum inputs)kind, sizes[s][0], sizes[s][1], sizes[s][2]);
                multiply(&point, as_it_is);
                const struct verdict verdict = point_verify(&point);
                if (!verdict.ok)
                    fail_msg("%s", verdict.reason);
                assert_true(verdict.error <= verdict.bound);
                point_close(&point);
            }
}

static void assert_refused(enum inputs inputs, double (*read)(double value))
{
    struct point point;
    open_product(&point, F32, inputs, M, N, K);
    multiply(&point, read);
    assert_false(point_verify(&point).ok);
    point_close(&point);
}

TEST(losses_are_found)
{
    assert_refused(INPUTS_GRADED, fixed_point);
    assert_refused(INPUTS_DENORMALS, denormals_flushed);
    assert_refused(INPUTS_NONFINITE, infinities_clamped);
}

TEST(outputs_that_are_not_written_are_found)
{
    for (int kind = INPUTS_GRADED; kind <= INPUTS_NONFINITE; kind++) {
        struct point point;
        open_product(&point, F32, (enum inputs)kind, M, N, K);
        assert_false(point_verify(&point).ok);
        point_close(&point);
    }
}

/* Equal elements promise the rigorous bound alone, which is wider than that of random signs. */
TEST(constant_inputs_have_the_rigorous_bound)
{
    const double k = K, gamma = k * 0x1p-53 / (1 - k * 0x1p-53);
    for (int kind = INPUTS_GRADED; kind <= INPUTS_CONSTANT; kind += INPUTS_CONSTANT - INPUTS_GRADED)
        for (int i = 0; i < 2; i++) {
            struct point point;
            open_product(&point, F64, (enum inputs)kind, M, N, K);
            multiply(&point, as_it_is);
            double *c = point.operand[2], scale = 0;
            for (int64_t l = 0; l < K; l++)
                scale += fabs(get(&point, 0, l) * get(&point, 1, l * N));
            c[0] += (i == 0 ? 0.8 : 1.2) * gamma * scale;
            const struct verdict verdict = point_verify(&point);
            assert_int_equal(verdict.ok, kind == INPUTS_CONSTANT && i == 0);
            point_close(&point);
        }
}

/* A variant may lose bits below a floor that it declares. Only products with such elements may be off. */
TEST(a_declared_floor_is_allowed)
{
    struct point point;
    struct verdict verdict;
    open_product(&point, F32, INPUTS_DENORMALS, M, N, K);
    multiply(&point, denormals_flushed);
    struct product product = {.precision = F32, .m = M, .n = N, .k = K, .a = point.operand[0], .b = point.operand[1]};
    product_verify(&product, INPUTS_DENORMALS, point.reference, point.operand[2], &verdict);
    assert_false(verdict.ok);
    product.input_floor = 0x1p-126;
    product_verify(&product, INPUTS_DENORMALS, point.reference, point.operand[2], &verdict);
    assert_true(verdict.ok);
    ((float *)point.operand[2])[N] = 1; /* row 1 has no denormal number */
    product_verify(&product, INPUTS_DENORMALS, point.reference, point.operand[2], &verdict);
    assert_false(verdict.ok);
    point_close(&point);
}

/* --- Matrices to factor --- */

enum { ORDER = 60 };

static void open_factorisation(struct point *point, int64_t precision, enum inputs inputs)
{
    const struct cell cell = {
        .entry = registry_find("lu/omp-recursive-pivot"), .precision = precision, .n = ORDER, .tile = 8};
    point_open(point, &cell, inputs, SEED);
}

static void set(struct point *point, int64_t row, int64_t col, double value)
{
    operand_put(point->operand[0], point->cell.precision, row * ORDER + col, value);
}

static void exchange_rows(struct point *point, int64_t one, int64_t other)
{
    for (int64_t col = 0; col < ORDER; col++) {
        const double value = get(point, 0, one * ORDER + col);
        set(point, one, col, get(point, 0, other * ORDER + col));
        set(point, other, col, value);
    }
}

/* Factors by elimination. The candidate with the best rank becomes the pivot. */
static void factorise(struct point *point, double (*rank)(double candidate, int64_t step))
{
    for (int64_t k = 0; k < ORDER; k++) {
        int64_t pivot = k;
        for (int64_t i = k; i < ORDER; i++)
            if (rank(get(point, 0, i * ORDER + k), k) > rank(get(point, 0, pivot * ORDER + k), k))
                pivot = i;
        exchange_rows(point, k, pivot);
        ((int32_t *)point->operand[1])[k] = (int32_t)pivot + 1;
        for (int64_t i = k + 1; i < ORDER; i++) {
            set(point, i, k, get(point, 0, i * ORDER + k) / get(point, 0, k * ORDER + k));
            for (int64_t j = k + 1; j < ORDER; j++)
                set(point, i, j,
                    get(point, 0, i * ORDER + j) - get(point, 0, i * ORDER + k) * get(point, 0, k * ORDER + j));
        }
    }
}

static double by_magnitude(double candidate, int64_t step)
{
    (void)step;
    return fabs(candidate);
}

/* Chooses the smallest candidate of the first column, as a comparison without the last bits may do. */
static double smallest_at_first(double candidate, int64_t step)
{
    return step == 0 ? -fabs(candidate) : fabs(candidate);
}

TEST(pivots_among_near_ties_must_be_the_largest)
{
    for (int64_t precision = F32; precision <= F64; precision++)
        for (int right = 0; right <= 1; right++) {
            struct point point;
            open_factorisation(&point, precision, INPUTS_TIES);
            factorise(&point, right ? by_magnitude : smallest_at_first);
            const struct verdict verdict = point_verify(&point);
            assert_int_equal(verdict.ok, right);
            if (!right)
                assert_non_null(strstr(verdict.reason, "no element is larger than its pivot"));
            point_close(&point);
        }
}

TEST(candidates_differ_by_two_units_at_most)
{
    int equal = 0, different = 0;
    struct point point;
    open_factorisation(&point, F64, INPUTS_TIES);
    for (int64_t row = 0; row < ORDER / 2; row++)
        for (int64_t col = 0; col < ORDER; col++) {
            const double one = get(&point, 0, row * ORDER + col);
            const double apart = fabs(one - get(&point, 0, (row + ORDER / 2) * ORDER + col)) / fabs(one);
            if (col == 0)
                assert_true(fabs(fabs(one) - 1) <= 2 * 0x1p-52);
            else if (col < ORDER / 2)
                assert_true(apart <= 3 * 0x1p-52);
            else
                different += apart > 0.01;
            equal += apart == 0 && col > 0;
        }
    assert_true(different > ORDER * ORDER / 5);
    assert_true(equal > ORDER * ORDER / 4 / 4 && equal < ORDER * ORDER / 4 / 2);
    point_close(&point);
}

TEST(both_storage_orders_give_the_same_matrix)
{
    enum { N = 37 };
    for (int kind = INPUTS_GRADED; kind <= INPUTS_TIES; kind += INPUTS_TIES - INPUTS_GRADED) {
        double rows[N * N], cols[N * N];
        inputs_fill_matrix(rows, N, F64, FAMILY_GENERAL, INPUTS_RANDOM, false, SEED, 0);
        inputs_fill_matrix(cols, N, F64, FAMILY_GENERAL, INPUTS_RANDOM, true, SEED, 0);
        special_change_matrix(rows, N, F64, (enum inputs)kind, false, SEED, 0);
        special_change_matrix(cols, N, F64, (enum inputs)kind, true, SEED, 0);
        for (int64_t i = 0; i < N; i++)
            for (int64_t j = 0; j < N; j++)
                assert_true(rows[i * N + j] == cols[j * N + i]);
    }
}
