/* Medians and intervals: properties on random data, and known values.
 * SPDX-License-Identifier: MIT */
#include "base/comparison.h"
#include "base/stats.h"

#include "verify/inputs.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 200 };

static void fill(double *values, size_t count, uint32_t stream)
{
    for (size_t i = 0; i < count; i++)
        values[i] = (double)inputs_integer(7, stream, i, 1, 1000) / 8;
}

static size_t below(const double *values, size_t count, double limit)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        found += values[i] < limit;
    return found;
}

static void nothing_has_no_statistics(void **state)
{
    (void)state;
    assert_true(isnan(stats_median(NULL, 0)));
    assert_true(isnan(stats_min(NULL, 0)));
    assert_true(isnan(stats_max(NULL, 0)));
    assert_true(isnan(stats_median_spread(NULL, 0)));
}

static void nan_is_never_hidden(void **state)
{
    (void)state;
    for (size_t at = 0; at < 8; at++) {
        double values[8] = {3, 1, 4, 1, 5, 9, 2, 6};
        values[at] = NAN;
        assert_true(isnan(stats_median(values, 8)));
        assert_true(isnan(stats_min(values, 8)));
        assert_true(isnan(stats_max(values, 8)));
        assert_true(isnan(stats_median_spread(values, 8)));
    }
}

static void known_medians(void **state)
{
    (void)state;
    assert_true(stats_median((double[]){5}, 1) == 5);
    assert_true(stats_median((double[]){4, 1}, 2) == 2.5);
    assert_true(stats_median((double[]){9, 1, 5}, 3) == 5);
    assert_true(stats_median((double[]){2, 2, 1, 3}, 4) == 2);
}

static void median_halves_any_data_and_leaves_it_alone(void **state)
{
    (void)state;
    double values[MOST], copy[MOST];
    for (size_t count = 1; count <= MOST; count++) {
        fill(values, count, (uint32_t)count);
        memcpy(copy, values, sizeof copy);
        const double median = stats_median(values, count);
        assert_memory_equal(values, copy, count * sizeof *values);
        assert_true(below(values, count, median) <= count / 2);
        assert_true(below(values, count, nextafter(median, INFINITY)) >= (count + 1) / 2);
        assert_true(stats_min(values, count) <= median && median <= stats_max(values, count));
        assert_int_equal(below(values, count, stats_min(values, count)), 0);
        assert_int_equal(below(values, count, nextafter(stats_max(values, count), INFINITY)), count);
        for (size_t i = 0; i < count; i++)
            copy[i] = values[count - 1 - i];
        assert_true(stats_median(copy, count) == median);
    }
}

/* Ranks of the 95 % interval of a median, from the tables of the sign test. */
static void spread_uses_the_ranks_of_the_sign_test(void **state)
{
    (void)state;
    static const struct {
        size_t count, rank;
    } table[] = {{6, 1},  {8, 1},  {9, 2},  {10, 2},  {11, 2},  {12, 3},  {15, 4},
                 {17, 5}, {20, 6}, {25, 8}, {30, 10}, {40, 14}, {50, 18}, {100, 40}};
    double values[128];
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const size_t count = table[i].count;
        for (size_t v = 0; v < count; v++)
            values[v] = 1000 + (double)((v * 7919) % count); /* 1000 .. 1000 + count - 1 in another order */
        const double half = 0.5 * (double)(count + 1 - 2 * table[i].rank);
        const double median = 1000 + 0.5 * (double)(count - 1);
        assert_true(fabs(stats_median_spread(values, count) - half / median) < 1e-15);
    }
}

static void spread_is_relative(void **state)
{
    (void)state;
    double values[50], scaled[50];
    fill(values, 50, 1);
    for (size_t i = 0; i < 50; i++)
        scaled[i] = values[i] * 1024;
    assert_true(stats_median_spread(values, 50) == stats_median_spread(scaled, 50));
}

static void few_values_have_no_interval(void **state)
{
    (void)state;
    double values[6] = {1, 2, 3, 4, 5, 6};
    for (size_t count = 1; count < 6; count++)
        assert_true(isinf(stats_median_spread(values, count)));
    assert_true(isfinite(stats_median_spread(values, 6)));
    const double same[6] = {3, 3, 3, 3, 3, 3};
    assert_true(stats_median_spread(same, 6) == 0);
}

/* Another formula gives the rank for more than 1000 values. The rank must not jump there. */
static void spread_is_smooth_where_the_formula_changes(void **state)
{
    (void)state;
    static double values[1002];
    for (size_t i = 0; i < 1002; i++)
        values[i] = 1e6 + (double)i;
    const double before = stats_median_spread(values, 1000), after = stats_median_spread(values, 1001);
    assert_true(fabs(before - after) <= 1.5 / 1e6);
}

/* The inputs are the same at every run, so the test cannot fail by chance. */
static void interval_covers_the_true_median(void **state)
{
    (void)state;
    double values[21];
    int covered = 0;
    for (uint32_t trial = 0; trial < 1000; trial++) {
        for (size_t i = 0; i < 21; i++)
            values[i] = 10 + inputs_uniform(11, trial, i);
        const double median = stats_median(values, 21);
        covered += fabs(median - 10) <= stats_median_spread(values, 21) * median;
    }
    assert_in_range(covered, 920, 990);
}

static void the_rule_of_comparison_knows_its_five_words(void **state)
{
    (void)state;
    assert_int_equal(comparison_of(1.5, 1.2, 1.8), COMPARISON_FASTER);
    assert_int_equal(comparison_of(0.5, 0.4, 0.6), COMPARISON_SLOWER);
    assert_int_equal(comparison_of(1.01, 1.005, 1.015), COMPARISON_SAME);
    assert_int_equal(comparison_of(1.01, 1.005, 1.03), COMPARISON_UNDECIDED);
    assert_int_equal(comparison_of(1.5, 0.9, 2.5), COMPARISON_UNDECIDED);
    assert_int_equal(comparison_of(1.5, NAN, 2), COMPARISON_SINGLE);
    assert_int_equal(comparison_of(1.5, 1.2, NAN), COMPARISON_SINGLE);
    assert_int_equal(comparison_of(1, 1, 1), COMPARISON_SAME);
}

static void the_rule_judges_two_sides_alike(void **state)
{
    static const enum comparison opposite[COMPARISONS] = {[COMPARISON_SINGLE] = COMPARISON_SINGLE,
                                                          [COMPARISON_UNDECIDED] = COMPARISON_UNDECIDED,
                                                          [COMPARISON_SAME] = COMPARISON_SAME,
                                                          [COMPARISON_FASTER] = COMPARISON_SLOWER,
                                                          [COMPARISON_SLOWER] = COMPARISON_FASTER};
    (void)state;
    double a[3 * MOST];
    fill(a, 3 * MOST, 12);
    for (size_t i = 0; i < MOST; i++) {
        /* Times near each other, so that all verdicts occur. */
        const double ratio = 1 + (a[3 * i] - 62) / 1000, low = ratio - a[3 * i + 1] / 3000,
                     high = ratio + a[3 * i + 2] / 3000;
        assert_int_equal(comparison_of(1 / ratio, 1 / high, 1 / low), opposite[comparison_of(ratio, low, high)]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rule_of_comparison_knows_its_five_words),
        cmocka_unit_test(the_rule_judges_two_sides_alike),
        cmocka_unit_test(nothing_has_no_statistics),
        cmocka_unit_test(nan_is_never_hidden),
        cmocka_unit_test(known_medians),
        cmocka_unit_test(median_halves_any_data_and_leaves_it_alone),
        cmocka_unit_test(spread_uses_the_ranks_of_the_sign_test),
        cmocka_unit_test(spread_is_relative),
        cmocka_unit_test(few_values_have_no_interval),
        cmocka_unit_test(spread_is_smooth_where_the_formula_changes),
        cmocka_unit_test(interval_covers_the_true_median),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
