/* Checks the verifier of products: results that are wrong on purpose must fail, and right results must pass.
 * SPDX-License-Identifier: MIT */
#include "cell.h"
#include "point.h"
#include "verify/against.h"
#include "verify/inputs.h"
#include "verify/poison.h"
#include "verify/product.h"
#include "verify/product_rows.h"
#include "test.h"

#include <math.h>

enum { TILE = 16, SEED = 42 };

static const struct {
    int64_t m, n, k;
} sizes[] = {
    {1, 1, 1},          {TILE - 1, TILE - 1, TILE - 1},
    {TILE, TILE, TILE}, {TILE + 1, TILE + 1, TILE + 1},
    {33, 33, 33},       {7, 70, 19},
    {70, 5, 33},        {150, 3, 65},
    {1, 40, 9},         {40, 1, 9},
    {9, 40, 1},         {3, 600, 5},
};
enum { SIZES = sizeof sizes / sizeof *sizes };

static double get(const void *values, int64_t precision, int64_t i)
{
    return operand_value(values, precision, i);
}

/* C = A B by plain loops in the cell's precision. Only the terms from first to last - 1 are summed. */
static void multiply(const struct point *point, void *c, int64_t first, int64_t last)
{
    const struct cell *cell = &point->cell;
    const void *a = point->operand[0], *b = point->operand[1];
    for (int64_t i = 0; i < cell->m; i++)
        for (int64_t j = 0; j < cell->n; j++) {
            double f64 = 0;
            float f32 = 0;
            for (int64_t l = first; l < last; l++) {
                const double x = get(a, cell->precision, i * cell->k + l);
                const double y = get(b, cell->precision, l * cell->n + j);
                f64 += x * y;
                f32 += (float)x * (float)y;
            }
            operand_put(c, cell->precision, i * cell->n + j, cell->precision == F32 ? (double)f32 : f64);
        }
}

static void right(struct point *point)
{
    multiply(point, point->operand[2], 0, point->cell.k);
}

/* --- Wrong results --- */

static void first_term_dropped(struct point *point)
{
    multiply(point, point->operand[2], 1, point->cell.k);
}

static void last_term_dropped(struct point *point)
{
    multiply(point, point->operand[2], 0, point->cell.k - 1);
}

static void first_tile_dropped(struct point *point)
{
    multiply(point, point->operand[2], TILE < point->cell.k ? TILE : point->cell.k, point->cell.k);
}

/* A missing barrier does this: one tile of C is summed from a tile of A and B that was not loaded yet. */
static void one_tile_of_old_data(struct point *point)
{
    const struct cell *cell = &point->cell;
    void *other = malloc(point->size_bytes[2]);
    assert_non_null(other);
    right(point);
    multiply(point, other, 0, cell->k - (cell->k + TILE - 1) % TILE - 1);
    for (int64_t i = 0; i < cell->m && i < TILE; i++)
        for (int64_t j = 0; j < cell->n && j < TILE; j++)
            operand_put(point->operand[2], cell->precision, i * cell->n + j,
                        get(other, cell->precision, i * cell->n + j));
    free(other);
}

static void transposed(struct point *point)
{
    const struct cell *cell = &point->cell;
    void *c = malloc(point->size_bytes[2]);
    assert_non_null(c);
    multiply(point, c, 0, cell->k);
    for (int64_t i = 0; i < cell->m; i++)
        for (int64_t j = 0; j < cell->n; j++)
            operand_put(point->operand[2], cell->precision, i * cell->n + j, get(c, cell->precision, j * cell->m + i));
    free(c);
}

/* b[j * n + l] instead of b[l * n + j], wrapped around within the array. */
static void indices_of_b_swapped(struct point *point)
{
    const struct cell *cell = &point->cell;
    void *right_b = point->operand[1], *b = malloc(point->size_bytes[1]);
    assert_non_null(b);
    for (int64_t l = 0; l < cell->k; l++)
        for (int64_t j = 0; j < cell->n; j++)
            operand_put(b, cell->precision, l * cell->n + j,
                        get(right_b, cell->precision, (j * cell->n + l) % (cell->k * cell->n)));
    point->operand[1] = b;
    right(point);
    point->operand[1] = right_b;
    free(b);
}

static void last_column_left_out(struct point *point)
{
    const struct cell *cell = &point->cell;
    right(point);
    for (int64_t i = 0; i < cell->m; i++)
        memset((char *)point->operand[2] + ((i + 1) * cell->n - 1) * (int64_t)cell_precision_size(cell->precision),
               0xFF, cell_precision_size(cell->precision));
}

static void last_row_left_at_zero(struct point *point)
{
    const struct cell *cell = &point->cell;
    right(point);
    for (int64_t j = 0; j < cell->n; j++)
        operand_put(point->operand[2], cell->precision, (cell->m - 1) * cell->n + j, 0);
}

static void columns_shifted_by_one(struct point *point)
{
    const size_t size = cell_precision_size(point->cell.precision);
    right(point);
    memmove((char *)point->operand[2] + size, point->operand[2], point->size_bytes[2] - size);
}

static void added_to_what_was_there(struct point *point)
{
    const struct cell *cell = &point->cell;
    right(point);
    for (int64_t i = 0; i < cell->m * cell->n; i++)
        operand_put(point->operand[2], cell->precision, i, 2 * get(point->operand[2], cell->precision, i));
}

static void not_written(struct point *point)
{
    memset(point->operand[2], 0xFF, point->size_bytes[2]);
}

static void zeros(struct point *point)
{
    memset(point->operand[2], 0, point->size_bytes[2]);
}

static void of_another_seed(struct point *point)
{
    struct point other;
    point_open(&other, &point->cell, point->inputs, SEED + 1);
    right(&other);
    memcpy(point->operand[2], other.operand[2], point->size_bytes[2]);
    point_close(&other);
}

static void one_nan(struct point *point)
{
    right(point);
    operand_put(point->operand[2], point->cell.precision, point->cell.m * point->cell.n / 2, (double)NAN);
}

static void one_infinity(struct point *point)
{
    right(point);
    operand_put(point->operand[2], point->cell.precision, point->cell.m * point->cell.n - 1, (double)INFINITY);
}

static void one_element_off_by_one(struct point *point)
{
    const int64_t at = point->cell.m * point->cell.n / 2;
    right(point);
    operand_put(point->operand[2], point->cell.precision, at, get(point->operand[2], point->cell.precision, at) + 1);
}

static void one_element_without_its_last_term(struct point *point)
{
    const struct cell *cell = &point->cell;
    const int64_t row = cell->m / 3, col = cell->n / 2, at = row * cell->n + col;
    right(point);
    const double term = get(point->operand[0], cell->precision, (row + 1) * cell->k - 1) *
                        get(point->operand[1], cell->precision, (cell->k - 1) * cell->n + col);
    operand_put(point->operand[2], cell->precision, at, get(point->operand[2], cell->precision, at) - term);
}

static const struct wrong {
    const char *name;
    void (*make)(struct point *point);
    bool floats_only;
} wrongs[] = {
#define WRONG(function) \
    { \
#function, function, false \
    }
    WRONG(first_term_dropped),
    WRONG(last_term_dropped),
    WRONG(first_tile_dropped),
    WRONG(one_tile_of_old_data),
    WRONG(transposed),
    WRONG(indices_of_b_swapped),
    WRONG(last_column_left_out),
    WRONG(last_row_left_at_zero),
    WRONG(columns_shifted_by_one),
    WRONG(added_to_what_was_there),
    WRONG(not_written),
    WRONG(zeros),
    WRONG(of_another_seed),
    WRONG(one_element_off_by_one),
    WRONG(one_element_without_its_last_term),
#undef WRONG
    {"one_nan", one_nan, true},
    {"one_infinity", one_infinity, true},
};
enum { WRONGS = sizeof wrongs / sizeof *wrongs };

static struct cell product_cell(int64_t precision, int64_t m, int64_t n, int64_t k)
{
    return (struct cell){.precision = precision,
                         .isa = ISA_BASE,
                         .opt = OPT_O3,
                         .m = m,
                         .n = n,
                         .k = k,
                         .entry = registry_find("matmul/seq-ijk")};
}

static void each_point(void (*check)(struct point *point))
{
    for (int64_t precision = F32; precision <= I32; precision++)
        for (int i = 0; i < SIZES; i++)
            for (int inputs = INPUTS_EXACT; inputs <= INPUTS_SMALL; inputs++) {
                const struct cell cell = product_cell(precision, sizes[i].m, sizes[i].n, sizes[i].k);
                struct point point;
                if (!cell_has_inputs(&cell, (enum inputs)inputs))
                    continue;
                point_open(&point, &cell, (enum inputs)inputs, SEED);
                check(&point);
                point_close(&point);
            }
}

static void check_right(struct point *point)
{
    right(point);
    const struct verdict verdict = point_verify(point);
    if (!verdict.ok)
        print_error("%s\n", verdict.reason);
    assert_true(verdict.ok);
    assert_string_equal(verdict.reason, "");
    assert_true(verdict.error <= verdict.bound);

    double norm2 = 0;
    for (int64_t i = 0; i < point->cell.m * point->cell.n; i++)
        norm2 += pow(get(point->operand[2], point->cell.precision, i), 2);
    assert_true(fabs(verdict.norm2 - norm2) <= 1e-12 * norm2);
}

/* How many elements are marked as wrong. No element may be marked that has the right value. */
static int64_t count_marks(const struct point *point, const void *correct)
{
    const struct cell *cell = &point->cell;
    const int64_t count = cell->m * cell->n;
    unsigned char *wrong = calloc((size_t)count, 1);
    int64_t marks = 0;
    assert_non_null(wrong);
    cell->entry->problem->mark(cell, point->inputs, point->operand, wrong);
    for (int64_t i = 0; i < count; i++) {
        assert_false(wrong[i] && get(correct, cell->precision, i) == get(point->operand[2], cell->precision, i));
        marks += wrong[i];
    }
    free(wrong);
    return marks;
}

static void check_wrong(struct point *point)
{
    const struct cell *cell = &point->cell;
    void *correct = malloc(point->size_bytes[2]);
    assert_non_null(correct);
    right(point);
    memcpy(correct, point->operand[2], point->size_bytes[2]);
    for (int w = 0; w < WRONGS; w++) {
        if (wrongs[w].floats_only && cell->precision == I32)
            continue;
        point_poison(point);
        wrongs[w].make(point);
        /* A wrong result can equal the right one: one element is its own transpose, and a dropped term can be zero. */
        bool same = true;
        for (int64_t i = 0; i < cell->m * cell->n; i++)
            same = same && get(correct, cell->precision, i) == get(point->operand[2], cell->precision, i);
        const struct verdict verdict = point_verify(point);
        if (verdict.ok != same)
            print_error("%s, %lld x %lld x %lld %s, inputs %d\n", wrongs[w].name, (long long)cell->m,
                        (long long)cell->n, (long long)cell->k, cell_precision_names[cell->precision], point->inputs);
        assert_int_equal(verdict.ok, same);
        assert_int_equal(verdict.reason[0] != '\0', !same);
        assert_int_equal(verdict.error <= verdict.bound, same);
        assert_int_equal(count_marks(point, correct) == 0, same);
    }
    free(correct);
}

TEST(right_results_pass)
{
    each_point(check_right);
}

TEST(wrong_results_fail)
{
    each_point(check_wrong);
}

/* --- Single cases --- */

static struct point *open_square(struct point *point, int64_t precision, int64_t n, enum inputs inputs)
{
    const struct cell cell = product_cell(precision, n, n, n);
    point_open(point, &cell, inputs, SEED);
    right(point);
    return point;
}

TEST(reasons_say_where)
{
    struct point point;
    open_square(&point, F32, 40, INPUTS_RANDOM);
    ((float *)point.operand[2])[3 * 40 + 7] += 1;
    assert_non_null(strstr(point_verify(&point).reason, "C(3, 7) is "));
    ((float *)point.operand[2])[3 * 40 + 7] = NAN;
    assert_string_equal(point_verify(&point).reason, "C(3, 7) is NaN: was it added to before it was set to zero?");
    ((float *)point.operand[2])[3 * 40 + 7] = INFINITY;
    assert_string_equal(point_verify(&point).reason, "C(3, 7) is not finite");
    memset(&((float *)point.operand[2])[5], 0xFF, sizeof(float));
    ((float *)point.operand[2])[3 * 40 + 7] = 0;
    assert_string_equal(point_verify(&point).reason, "C(0, 5) was not written");
    assert_true(isnan(point_verify(&point).error));
    point_close(&point);
}

/* C += A B, by a variant that takes for granted that C is zero. */
static void add_product(struct point *point)
{
    void *sum = malloc(point->size_bytes[2]), *c = point->operand[2];
    multiply(point, sum, 0, point->cell.k);
    for (int64_t i = 0; i < point->cell.m * point->cell.n; i++)
        if (point->cell.precision == F32)
            ((float *)c)[i] += ((float *)sum)[i];
        else if (point->cell.precision == F64)
            ((double *)c)[i] += ((double *)sum)[i];
        else
            ((uint32_t *)c)[i] += ((uint32_t *)sum)[i];
    free(sum);
}

TEST(an_element_that_was_added_to_differs_from_one_that_nobody_wrote)
{
    for (int64_t precision = F32; precision <= PRECISIONS; precision++) {
        struct point point;
        open_square(&point, precision, 20, INPUTS_RANDOM);
        poison_fill(point.operand[2], point.size_bytes[2], precision);
        assert_true(poison_is_left(point.operand[2], precision, 399));
        struct verdict verdict = point_verify(&point);
        assert_non_null(strstr(verdict.reason, precision == I32 ? ": was it written?" : ") was not written"));
        add_product(&point);
        assert_false(poison_is_left(point.operand[2], precision, 399));
        verdict = point_verify(&point);
        assert_non_null(strstr(verdict.reason, ": was it added to before it was set to zero?"));
        point_close(&point);
    }
}

TEST(minus_zero_is_zero)
{
    for (int64_t precision = F32; precision <= F64; precision++)
        for (int inputs = INPUTS_EXACT; inputs <= INPUTS_RANDOM; inputs++) {
            const struct cell cell = product_cell(precision, 4, 4, 4);
            struct point point;
            point_open(&point, &cell, (enum inputs)inputs, SEED);
            memset(point.operand[0], 0, point.size_bytes[0]);
            cell.entry->problem->reference_free(point.reference);
            point.reference = cell.entry->problem->reference(&cell, (enum inputs)inputs, SEED, point.operand);
            for (int64_t i = 0; i < 16; i++)
                operand_put(point.operand[2], precision, i, i % 2 ? -0.0 : 0.0);
            assert_true(point_verify(&point).ok);
            operand_put(point.operand[2], precision, 3, 1e-30);
            assert_false(point_verify(&point).ok);
            point_close(&point);
        }
}

/* There are more rows than the verifier compares entry by entry. It must find errors in the other rows too. */
TEST(an_error_in_any_row_is_found)
{
    enum { M = 300, N = 20, K = 50 };
    for (int64_t precision = F32; precision <= I32; precision++) {
        const struct cell cell = product_cell(precision, M, N, K);
        struct point point;
        point_open(&point, &cell, INPUTS_RANDOM, SEED);
        right(&point);
        assert_true(point_verify(&point).ok);
        for (int64_t row = 0; row < M; row++) {
            const int64_t at = row * N + row % N;
            const double value = get(point.operand[2], precision, at);
            operand_put(point.operand[2], precision, at, value + 1);
            const struct verdict verdict = point_verify(&point);
            assert_false(verdict.ok);
            assert_false(verdict.error <= verdict.bound);
            operand_put(point.operand[2], precision, at, value);
        }
        point_close(&point);
    }
}

TEST(the_sign_bit_of_an_integer_counts)
{
    struct point point;
    open_square(&point, I32, 100, INPUTS_RANDOM);
    for (int64_t i = 0; i < 100 * 100; i += 37) {
        ((uint32_t *)point.operand[2])[i] ^= UINT32_C(1) << 31;
        assert_false(point_verify(&point).ok);
        ((uint32_t *)point.operand[2])[i] ^= UINT32_C(1) << 31;
    }
    assert_true(point_verify(&point).ok);
    point_close(&point);
}

/* One element is wrong by one part in 2^24. This is noise for random inputs, and an error for exact inputs. */
TEST(exact_inputs_forgive_nothing)
{
    struct point point;
    struct verdict verdict;
    open_square(&point, F32, 64, INPUTS_EXACT);
    float *c = point.operand[2];
    assert_true(point_verify(&point).bound == 0);
    const float right = c[777];
    char reason[sizeof verdict.reason];
    c[777] += 3;
    verdict = point_verify(&point);
    assert_false(verdict.ok);
    snprintf(reason, sizeof reason, "C(12, 9) is %.10g, not %.10g", (double)c[777], (double)right);
    assert_string_equal(verdict.reason, reason);
    c[777] = nextafterf(right, INFINITY);
    assert_false(point_verify(&point).ok);
    point_close(&point);

    open_square(&point, F32, 64, INPUTS_RANDOM);
    c = point.operand[2];
    assert_true(point_verify(&point).bound == 4);
    c[777] = nextafterf(c[777], INFINITY);
    assert_true(point_verify(&point).ok);
    point_close(&point);
}

/* The rigorous bound k u |A||B| alone would accept a result in f32 that lacks one of 5000 terms. */
TEST(one_missing_term_of_many_is_found)
{
    const struct cell cell = product_cell(F32, 8, 8, 5000);
    for (int inputs = INPUTS_EXACT; inputs <= INPUTS_RANDOM; inputs++) {
        struct point point;
        point_open(&point, &cell, (enum inputs)inputs, SEED);
        right(&point);
        assert_true(point_verify(&point).ok);
        one_element_without_its_last_term(&point);
        assert_false(point_verify(&point).ok);
        point_close(&point);
    }
}

/* The inputs are cut to 10 bits, as tensor cores read f32. Only a variant that declares this may be so wrong. */
TEST(coarse_inputs_need_their_own_bound)
{
    for (int i = 0; i < SIZES; i++)
        for (uint64_t seed = 0; seed < 20; seed++) {
            const struct cell cell = product_cell(F32, sizes[i].m, sizes[i].n, sizes[i].k);
            struct point fine, coarse;
            struct verdict verdict;
            point_open(&fine, &cell, INPUTS_RANDOM, seed);
            point_open(&coarse, &cell, INPUTS_RANDOM, seed);
            for (int operand = 0; operand < 2; operand++)
                for (size_t x = 0; x < coarse.size_bytes[operand] / sizeof(uint32_t); x++)
                    ((uint32_t *)coarse.operand[operand])[x] &= ~UINT32_C(0x1FFF);
            right(&coarse);

            struct product product = {.precision = F32, .m = cell.m, .n = cell.n, .k = cell.k};
            product_verify(&product, INPUTS_RANDOM, fine.reference, coarse.operand[2], &verdict);
            assert_false(verdict.ok);
            product.input_roundoff = 0x1p-10;
            product_verify(&product, INPUTS_RANDOM, fine.reference, coarse.operand[2], &verdict);
            assert_true(verdict.ok);
            last_term_dropped(&coarse);
            product_verify(&product, INPUTS_RANDOM, fine.reference, coarse.operand[2], &verdict);
            assert_false(verdict.ok);
            point_close(&fine);
            point_close(&coarse);
        }
}

TEST(exact_inputs_stay_exact)
{
    static const int64_t depths[] = {1, 100, 4096, 16128, 1 << 20};
    for (int64_t precision = F32; precision <= F64; precision++)
        for (size_t i = 0; i < sizeof depths / sizeof *depths; i++) {
            const struct cell cell = product_cell(precision, 2, 3, depths[i]);
            struct point point;
            double most_a = 0, most_b = 0;
            point_open(&point, &cell, INPUTS_EXACT, SEED);
            for (int64_t l = 0; l < 2 * depths[i]; l++)
                most_a = fmax(most_a, fabs(get(point.operand[0], precision, l)));
            for (int64_t l = 0; l < 3 * depths[i]; l++)
                most_b = fmax(most_b, fabs(get(point.operand[1], precision, l)));
            assert_true(most_a >= 1 && most_b >= 1);
            assert_true((double)depths[i] * most_a * most_b < (precision == F32 ? 0x1p24 : 0x1p53));
            point_close(&point);
        }
    const struct cell deep = product_cell(F32, 1, 1, 1 << 24), i32 = product_cell(I32, 1, 1, 1);
    assert_false(cell_has_exact(&deep));
    assert_false(cell_has_exact(&i32));
}

enum { NEAR_M = 70, NEAR_N = 37, NEAR_K = 1000 };
static const int64_t near_row[] = {0, 13, NEAR_M - 1};

static double near_a(const void *context, int64_t row, int64_t l)
{
    const struct point *point = context;
    return get(point->operand[0], point->cell.precision, near_row[row] * NEAR_K + l);
}

static double near_b(const void *context, int64_t l, int64_t col)
{
    const struct point *point = context;
    return get(point->operand[1], point->cell.precision, l * NEAR_N + col);
}

/* The rows of the reference agree with long double to 2^-60, if long double has more bits than double. */
TEST(reference_rows_are_nearly_exact)
{
    enum { M = NEAR_M, N = NEAR_N, K = NEAR_K };
    for (int64_t precision = F32; precision <= F64; precision++) {
        const struct cell cell = product_cell(precision, M, N, K);
        double high[3 * N], low[3 * N], scale[3 * N];
        struct point point;
        point_open(&point, &cell, INPUTS_RANDOM, SEED);
        const struct product_rows rows = {
            .precision = precision, .rows = 3, .k = K, .n = N, .x = near_a, .y = near_b, .context = &point};
        assert_true(product_rows_multiply(&rows, high, low, scale));
        for (int i = 0; i < 3 * N; i++) {
            long double sum = 0, magnitude = 0;
            for (int64_t l = 0; l < K; l++) {
                const long double term = (long double)near_a(&point, i / N, l) * (long double)near_b(&point, l, i % N);
                sum += term;
                magnitude += fabsl(term);
            }
            const long double error = fabsl(((long double)high[i] + (long double)low[i]) - sum);
            assert_true(error <=
                        magnitude * (precision == F32 || sizeof(long double) == sizeof(double) ? 0x1p-50L : 0x1p-60L));
            assert_true(fabsl((long double)scale[i] - magnitude) <= 1e-12L * magnitude);
        }
        point_close(&point);
    }
}

/* A problem may name one of its variants in place of a checker of its own. */
TEST(a_variant_judges_the_others)
{
    for (int64_t precision = F32; precision <= PRECISIONS; precision++) {
        struct entry entry = *registry_find("matmul/seq-ikj");
        struct problem problem = *entry.problem, judged = {AGAINST("seq-ijk", 64)};
        struct point point;
        entry.problem = &problem;
        problem.against = judged.against;
        problem.within = judged.within;
        problem.reference = judged.reference;
        problem.reference_free = judged.reference_free;
        problem.verify = judged.verify;
        const struct cell cell = {.entry = &entry, .precision = precision, .m = 9, .n = 17, .k = 33};
        point_open(&point, &cell, INPUTS_RANDOM, SEED);
        assert_false(point_verify(&point).ok); /* poisoned */
        right(&point);
        const struct verdict verdict = point_verify(&point);
        assert_true(verdict.ok && verdict.error <= verdict.bound);
        operand_put(point.operand[2], precision, 17 + 3, get(point.operand[2], precision, 17 + 3) + 1);
        const struct verdict wrong = point_verify(&point);
        assert_false(wrong.ok);
        assert_non_null(strstr(wrong.reason, "C(1, 3) is "));
        assert_non_null(strstr(wrong.reason, " as with seq-ijk"));
        if (precision != I32) { /* an infinite first row of C forgives nothing elsewhere */
            operand_put(point.operand[0], precision, 0, INFINITY);
            against_free(point.reference);
            point.reference = against_reference(&cell, INPUTS_RANDOM, SEED, point.operand);
            right(&point);
            assert_true(point_verify(&point).ok);
            operand_put(point.operand[2], precision, 17 + 3, get(point.operand[2], precision, 17 + 3) + 1);
            assert_non_null(strstr(point_verify(&point).reason, "C(1, 3) is "));
        }
        point_close(&point);
        problem.against = "seq-none";
        point_open(&point, &cell, INPUTS_RANDOM, SEED);
        assert_non_null(strstr(point_verify(&point).reason, "matmul/seq-none, which is no "));
        point_close(&point);
    }
}
