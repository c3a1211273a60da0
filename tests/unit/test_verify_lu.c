/* Tests of the verifier of a factorisation: right factors pass in either storage order, and each way of being wrong
 * fails. Tests of its inputs.
 * SPDX-License-Identifier: MIT */
#include "cell.h"
#include "point.h"
#include "lu/verify.h"
#include "verify/inputs.h"
#include "test.h"

#include <math.h>

enum { TILE = 16, SEED = 42 };

/* A matrix, its factors, and their storage order. */
struct lu {
    struct factorisation of;
    void *a, *factors;
    int32_t *pivots;
    void *reference;
};

static int64_t index_of(const struct lu *lu, int64_t row, int64_t col)
{
    return lu->of.column_major ? col * lu->of.n + row : row * lu->of.n + col;
}

static double get(const struct lu *lu, int64_t row, int64_t col)
{
    return operand_value(lu->factors, lu->of.precision, index_of(lu, row, col));
}

static void put(struct lu *lu, int64_t row, int64_t col, double value)
{
    operand_put(lu->factors, lu->of.precision, index_of(lu, row, col), value);
}

static void exchange_rows(struct lu *lu, int64_t one, int64_t other)
{
    for (int64_t col = 0; col < lu->of.n; col++) {
        const double value = get(lu, one, col);
        put(lu, one, col, get(lu, other, col));
        put(lu, other, col, value);
    }
}

/* Does one step, but leaves out the update of row skip_row from column skip_from on. */
static void eliminate(struct lu *lu, int64_t k, int64_t skip_row, int64_t skip_from)
{
    const int64_t n = lu->of.n;
    for (int64_t i = k + 1; i < n; i++) {
        put(lu, i, k, get(lu, i, k) / get(lu, k, k));
        for (int64_t j = k + 1; j < n && !(i == skip_row && j >= skip_from); j++)
            put(lu, i, j, get(lu, i, j) - get(lu, i, k) * get(lu, k, j));
    }
}

static void choose_pivot(struct lu *lu, int64_t k)
{
    int64_t pivot = k;
    for (int64_t i = k; i < lu->of.n && lu->of.pivoting == PIVOTING_PARTIAL; i++)
        if (fabs(get(lu, i, k)) > fabs(get(lu, pivot, k)))
            pivot = i;
    exchange_rows(lu, k, pivot);
    lu->pivots[k] = (int32_t)pivot + 1;
}

static size_t matrix_bytes(const struct lu *lu)
{
    return (size_t)(lu->of.n * lu->of.n) * cell_precision_size(lu->of.precision);
}

static void factorise(struct lu *lu)
{
    memcpy(lu->factors, lu->a, matrix_bytes(lu));
    for (int64_t k = 0; k < lu->of.n; k++) {
        choose_pivot(lu, k);
        eliminate(lu, k, -1, 0);
    }
}

static void make_reference(struct lu *lu)
{
    lu_verify_reference_free(lu->reference);
    lu->of.a = lu->a;
    lu->reference = lu_verify_reference(&lu->of, SEED);
    assert_non_null(lu->reference);
}

static void lu_open(struct lu *lu, int64_t n, int64_t precision, enum pivoting pivoting, bool column_major)
{
    *lu = (struct lu){.of = {precision, n, column_major, pivoting, false, NULL}};
    lu->a = malloc(matrix_bytes(lu));
    lu->factors = malloc(matrix_bytes(lu));
    lu->pivots = malloc((size_t)n * sizeof *lu->pivots);
    assert_true(lu->a && lu->factors && lu->pivots);
    inputs_fill_matrix(lu->a, n, precision, pivoting == PIVOTING_NONE ? FAMILY_DOMINANT : FAMILY_GENERAL, INPUTS_RANDOM,
                       column_major, SEED, 0);
    make_reference(lu);
    factorise(lu);
}

static void lu_close(struct lu *lu)
{
    lu_verify_reference_free(lu->reference);
    free(lu->a);
    free(lu->factors);
    free(lu->pivots);
}

static struct verdict judge(const struct lu *lu)
{
    struct verdict verdict;
    lu_verify(lu->reference, lu->factors, lu->pivots, &verdict);
    return verdict;
}

static void must_pass(const struct lu *lu)
{
    const struct verdict verdict = judge(lu);
    if (!verdict.ok || verdict.status != STATUS_OK)
        print_error("n = %lld: %s\n", (long long)lu->of.n, verdict.reason);
    assert_true(verdict.ok && verdict.status == STATUS_OK && verdict.error <= verdict.bound);
    assert_true(verdict.growth > 0);
}

static void must_fail(const struct lu *lu, const char *reason)
{
    const struct verdict verdict = judge(lu);
    if (verdict.ok || !strstr(verdict.reason, reason))
        print_error("n = %lld: '%s' is not about '%s'\n", (long long)lu->of.n, verdict.reason, reason);
    assert_false(verdict.ok);
    assert_non_null(strstr(verdict.reason, reason));
}

static const char WRONG_PRODUCT[] = "(LU)(";

static void each_factorisation(void (*check)(struct lu *lu))
{
    static const int64_t order[] = {1, 2, 3, TILE - 1, TILE, TILE + 1, 65, 150};
    for (int of = 0; of < 8; of++)
        for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
            struct lu lu;
            lu_open(&lu, order[i], of & 1 ? F32 : F64, of & 2 ? PIVOTING_PARTIAL : PIVOTING_NONE, of & 4);
            check(&lu);
            lu_close(&lu);
        }
}

static void check_right(struct lu *lu)
{
    must_pass(lu);
}

TEST(right_factors_pass)
{
    each_factorisation(check_right);
}

static void check_elements(struct lu *lu)
{
    const int64_t n = lu->of.n, last = n - 1;
    const double value = get(lu, last, last / 2);
    put(lu, last, last / 2, NAN);
    must_fail(lu, ") is nan");
    put(lu, last, last / 2, INFINITY);
    must_fail(lu, ") is inf");
    put(lu, last, last / 2, value);

    const double pivot = get(lu, last, last);
    put(lu, last, last, 0);
    must_fail(lu, "is 0: the matrix is singular");
    put(lu, last, last, pivot + 1);
    must_fail(lu, WRONG_PRODUCT);
    memset(lu->factors, 0xFF, matrix_bytes(lu));
    must_fail(lu, "LU(0, 0) is");
}

TEST(wrong_elements_fail)
{
    each_factorisation(check_elements);
}

/* One step does not update the last row. */
static void check_dropped_update(struct lu *lu)
{
    const int64_t n = lu->of.n;
    for (int64_t left_out = 0; left_out < n - 1; left_out += 1 + n / 9) {
        memcpy(lu->factors, lu->a, matrix_bytes(lu));
        for (int64_t k = 0; k < n; k++) {
            choose_pivot(lu, k);
            eliminate(lu, k, k == left_out ? n - 1 : -1, k + 1);
        }
        must_fail(lu, WRONG_PRODUCT);
    }
}

TEST(one_dropped_update_fails)
{
    each_factorisation(check_dropped_update);
}

/* The first TILE steps do not update the last TILE columns. */
static void check_missed_panel(struct lu *lu)
{
    const int64_t n = lu->of.n;
    if (n < 2 * TILE)
        return;
    memcpy(lu->factors, lu->a, matrix_bytes(lu));
    for (int64_t k = 0; k < n; k++) {
        choose_pivot(lu, k);
        for (int64_t i = k + 1; i < n; i++) {
            put(lu, i, k, get(lu, i, k) / get(lu, k, k));
            for (int64_t j = k + 1; j < (k < TILE ? n - TILE : n); j++)
                put(lu, i, j, get(lu, i, j) - get(lu, i, k) * get(lu, k, j));
        }
    }
    must_fail(lu, WRONG_PRODUCT);
}

TEST(one_missed_panel_fails)
{
    each_factorisation(check_missed_panel);
}

static void check_rows(struct lu *lu)
{
    const int64_t n = lu->of.n;
    if (n < 2)
        return;
    exchange_rows(lu, 0, n - 1);
    assert_false(judge(lu).ok);
    exchange_rows(lu, 0, n - 1);
    memcpy(lu->factors, lu->a, matrix_bytes(lu)); /* the matrix without any step, as a stale output would be */
    assert_false(judge(lu).ok);
    factorise(lu);
    must_pass(lu);
}

TEST(exchanged_rows_and_untouched_matrices_fail)
{
    each_factorisation(check_rows);
}

/* The factors of another matrix. */
TEST(stale_factors_fail)
{
    struct lu lu;
    lu_open(&lu, 100, F32, PIVOTING_PARTIAL, false);
    inputs_fill_matrix(lu.a, 100, F32, FAMILY_GENERAL, INPUTS_RANDOM, false, SEED + 1, 0);
    make_reference(&lu);
    must_fail(&lu, "");
    lu_close(&lu);
}

static void check_pivots(struct lu *lu)
{
    const int64_t n = lu->of.n;
    char reason[64];
    if (lu->of.pivoting == PIVOTING_NONE) {
        memset(lu->pivots, 0xFF, (size_t)n * sizeof *lu->pivots);
        must_pass(lu); /* the verifier reads no pivots */
        return;
    }
    const int32_t last = (int32_t)n, wrong[] = {0, -1, last + 1, last - 1};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        lu->pivots[n - 1] = wrong[i];
        snprintf(reason, sizeof reason, "pivot %d is row %d", last, wrong[i]);
        must_fail(lu, reason);
    }
    lu->pivots[n - 1] = last;
    must_pass(lu);
    if (n > 2) { /* not the row that was exchanged */
        const int32_t taken = lu->pivots[0];
        lu->pivots[0] = taken == last ? 1 : last;
        must_fail(lu, WRONG_PRODUCT);
    }
}

TEST(wrong_pivots_fail)
{
    each_factorisation(check_pivots);
}

/* The factors have the right product, but their pivots are not the largest elements of a column. */
TEST(pivots_that_are_not_the_largest_fail)
{
    struct lu lu;
    lu_open(&lu, 70, F64, PIVOTING_PARTIAL, false);
    memcpy(lu.factors, lu.a, matrix_bytes(&lu));
    for (int64_t k = 0; k < 70; k++) {
        lu.pivots[k] = (int32_t)k + 1;
        eliminate(&lu, k, -1, 0);
    }
    must_fail(&lu, "no element is larger than its pivot");
    lu_close(&lu);
}

/* Above LU_WHOLE, the verifier compares random rows and columns. A missed tile lies in some of them. */
TEST(a_missed_tile_fails_where_rows_are_drawn)
{
    enum { N = LU_WHOLE + 52, SIDE = 64 };
    static const double SMALL = 0x1p-8;
    for (int column_major = 0; column_major < 2; column_major++) {
        struct lu lu = {.of = {F32, N, column_major, PIVOTING_NONE, NULL}};
        lu.a = malloc(matrix_bytes(&lu));
        lu.factors = malloc(matrix_bytes(&lu));
        assert_true(lu.a && lu.factors);
        /* U has only a first row and a diagonal, and L only a first column and a diagonal, so that A is easy to
         * tell. */
        for (int64_t i = 0; i < N; i++)
            for (int64_t j = 0; j < N; j++) {
                const double corner = i && j ? SMALL : 0;
                put(&lu, i, j, i == j ? 1 : i == 0 ? 1 : j == 0 ? SMALL : 0);
                operand_put(lu.a, F32, index_of(&lu, i, j), get(&lu, i, j) + corner);
            }
        make_reference(&lu);
        must_pass(&lu);
        for (int64_t i = 700; i < 700 + SIDE; i++)
            for (int64_t j = 1500; j < 1500 + SIDE; j++)
                put(&lu, i, j, SMALL);
        must_fail(&lu, WRONG_PRODUCT);
        lu_close(&lu);
    }
}

/* --- Inputs --- */

TEST(dominant_matrices_are_dominant_and_the_same_in_either_order)
{
    enum { N = 37 };
    double rows[N * N], cols[N * N];
    float single[N * N];
    inputs_fill_matrix(rows, N, F64, FAMILY_DOMINANT, INPUTS_RANDOM, false, SEED, 0);
    inputs_fill_matrix(cols, N, F64, FAMILY_DOMINANT, INPUTS_RANDOM, true, SEED, 0);
    inputs_fill_matrix(single, N, F32, FAMILY_DOMINANT, INPUTS_RANDOM, false, SEED, 0);
    for (int64_t i = 0; i < N; i++) {
        double others = 0;
        for (int64_t j = 0; j < N; j++) {
            assert_true(rows[i * N + j] == cols[j * N + i]);
            assert_true(rows[i * N + j] >= 0 && (i == j || rows[i * N + j] < 50));
            assert_true(i == j || single[i * N + j] == (float)rows[i * N + j]);
            others += i == j ? 0 : rows[i * N + j];
        }
        assert_true(rows[i * N + i] > others && fabs(rows[i * N + i] - others - 1) < 1e-9);
    }
}
