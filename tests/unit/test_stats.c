/* Medians and intervals: properties on random data, and known values.
 * SPDX-License-Identifier: MIT */
#include "base/comparison.h"
#include "base/stats.h"
#include "test.h"

#include "verify/inputs.h"

#include <math.h>

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

TEST(nothing_has_no_statistics)
{
    assert_true(isnan(stats_median(NULL, 0)));
    assert_true(isnan(stats_min(NULL, 0)));
    assert_true(isnan(stats_max(NULL, 0)));
    assert_true(isnan(stats_median_spread(NULL, 0)));
}

TEST(nan_is_never_hidden)
{
    for (size_t at = 0; at < 8; at++) {
        double values[8] = {3, 1, 4, 1, 5, 9, 2, 6};
        values[at] = NAN;
        assert_true(isnan(stats_median(values, 8)));
        assert_true(isnan(stats_min(values, 8)));
        assert_true(isnan(stats_max(values, 8)));
        assert_true(isnan(stats_median_spread(values, 8)));
    }
}

TEST(known_medians)
{
    assert_true(stats_median((double[]){5}, 1) == 5);
    assert_true(stats_median((double[]){4, 1}, 2) == 2.5);
    assert_true(stats_median((double[]){9, 1, 5}, 3) == 5);
    assert_true(stats_median((double[]){2, 2, 1, 3}, 4) == 2);
}

TEST(median_halves_any_data_and_leaves_it_alone)
{
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
TEST(spread_uses_the_ranks_of_the_sign_test)
{
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

TEST(spread_is_relative)
{
    double values[50], scaled[50];
    fill(values, 50, 1);
    for (size_t i = 0; i < 50; i++)
        scaled[i] = values[i] * 1024;
    assert_true(stats_median_spread(values, 50) == stats_median_spread(scaled, 50));
}

TEST(few_values_have_no_interval)
{
    double values[6] = {1, 2, 3, 4, 5, 6};
    for (size_t count = 1; count < 6; count++)
        assert_true(isinf(stats_median_spread(values, count)));
    assert_true(isfinite(stats_median_spread(values, 6)));
    const double same[6] = {3, 3, 3, 3, 3, 3};
    assert_true(stats_median_spread(same, 6) == 0);
}

/* Another formula gives the rank for more than 1000 values. The rank must not jump there. */
TEST(spread_is_smooth_where_the_formula_changes)
{
    static double values[1002];
    for (size_t i = 0; i < 1002; i++)
        values[i] = 1e6 + (double)i;
    const double before = stats_median_spread(values, 1000), after = stats_median_spread(values, 1001);
    assert_true(fabs(before - after) <= 1.5 / 1e6);
}

/* The inputs are the same at every run, so the test cannot fail by chance. */
TEST(interval_covers_the_true_median)
{
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

TEST(the_rule_of_comparison_knows_its_five_words)
{
    assert_int_equal(comparison_of(1.5, 1.2, 1.8), COMPARISON_FASTER);
    assert_int_equal(comparison_of(0.5, 0.4, 0.6), COMPARISON_SLOWER);
    assert_int_equal(comparison_of(1.01, 1.005, 1.015), COMPARISON_SAME);
    assert_int_equal(comparison_of(1.01, 1.005, 1.03), COMPARISON_UNDECIDED);
    assert_int_equal(comparison_of(1.5, 0.9, 2.5), COMPARISON_UNDECIDED);
    assert_int_equal(comparison_of(1.5, NAN, 2), COMPARISON_SINGLE);
    assert_int_equal(comparison_of(1.5, 1.2, NAN), COMPARISON_SINGLE);
    assert_int_equal(comparison_of(1, 1, 1), COMPARISON_SAME);
}

TEST(the_rule_judges_two_sides_alike)
{
    static const enum comparison opposite[COMPARISONS] = {[COMPARISON_SINGLE] = COMPARISON_SINGLE,
                                                          [COMPARISON_UNDECIDED] = COMPARISON_UNDECIDED,
                                                          [COMPARISON_SAME] = COMPARISON_SAME,
                                                          [COMPARISON_FASTER] = COMPARISON_SLOWER,
                                                          [COMPARISON_SLOWER] = COMPARISON_FASTER};
    double a[3 * MOST];
    fill(a, 3 * MOST, 12);
    for (size_t i = 0; i < MOST; i++) {
        /* Times near each other, so that all verdicts occur. */
        const double ratio = 1 + (a[3 * i] - 62) / 1000, low = ratio - a[3 * i + 1] / 3000,
                     high = ratio + a[3 * i + 2] / 3000;
        assert_int_equal(comparison_of(1 / ratio, 1 / high, 1 / low), opposite[comparison_of(ratio, low, high)]);
    }
}

static bool is_near(double value, double expected)
{
    return fabs(value - expected) <= 2e-6 * fabs(expected);
}

/* From the tables of Student's t, two-sided. */
TEST(student_has_the_values_of_the_tables)
{
    static const struct {
        double freedom, probability, t;
    } table[] = {{1, 0.05, 12.706205},  {2, 0.05, 4.3026527},  {4, 0.05, 2.7764451},        {7, 0.01, 3.4994833},
                 {9, 0.001, 4.7809126}, {30, 0.05, 2.0422725}, {INFINITY, 0.05, 1.9599640}, {1, 0.5, 1}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        assert_true(is_near(stats_student_t(table[i].probability, table[i].freedom), table[i].t));
        assert_true(is_near(stats_student_p(-table[i].t, table[i].freedom), table[i].probability));
    }
    assert_true(stats_student_p(0, 3) == 1);
    assert_true(stats_student_p(INFINITY, 3) == 0);
    assert_true(isnan(stats_student_p(1, 0)));
    assert_true(isnan(stats_student_t(0, 3)));
}

/* Of 2, 4 and 8 the logarithms are 1, 2 and 3 times that of 2: mean 2, standard error 1 / sqrt(3). */
TEST(ratios_have_a_geometric_mean_with_an_interval)
{
    const struct stats_ratio of = stats_ratio((double[]){8, 2, 4}, 3, 0);
    const double half = 4.3026527 / sqrt(3) * log(2);
    assert_true(is_near(of.ratio, 4));
    assert_true(is_near(of.low, 4 * exp(-half)));
    assert_true(is_near(of.high, 4 * exp(half)));
    assert_true(is_near(of.p, stats_student_p(2 * sqrt(3), 2)));
    assert_true(isnan(stats_ratio((double[]){2}, 1, 0).low));
    assert_true(isnan(stats_ratio((double[]){2, NAN}, 2, 0).ratio));
    assert_true(stats_ratio((double[]){1, 1, 1}, 3, 0).p == 1);
    assert_true(stats_ratio((double[]){2, 2}, 2, 0).p == 0);
}

/* With a fifth left out at each end, exp(1) to exp(4) and an outlier have the mean 3; the logarithms 2, 2, 3, 4, 4 have
 * the squares 4, and 3 of them count: Tukey and McLaughlin's standard error is sqrt(4 / (3 * 2)). */
TEST(a_trimmed_mean_bears_an_outlier)
{
    const struct stats_ratio of = stats_ratio((double[]){exp(4), exp(1), exp(100), exp(3), exp(2)}, 5, 0.2);
    const double half = 4.3026527 * sqrt(4.0 / 6);
    assert_true(is_near(log(of.ratio), 3));
    assert_true(is_near(log(of.high), 3 + half));
    assert_true(is_near(log(of.low), 3 - half));
}

/* The range of 5 round medians covers with 93.75 %, which is 1.8627319 standard errors of a normal law on each side. */
TEST(an_interval_gives_a_standard_error_and_a_p)
{
    assert_true(is_near(comparison_error(1, exp(1), 5), 0.5 / 1.8627319));
    assert_true(isnan(comparison_error(1, 1, 1)));
    assert_true(is_near(comparison_p(exp(2.7764451), 1, 6), 0.05));
    assert_true(is_near(comparison_p(exp(-2.7764451), 1, 6), 0.05));
    assert_true(isnan(comparison_p(2, 1, 2)));
}

/* The example of Benjamini and Hochberg 1995: of 15 p-values, four are called at 5 %. */
TEST(the_rate_of_false_calls_is_held)
{
    const double p[] = {0.4262, 0.0001, 0.0201, 0.3240, 0.0004, 1,      0.0278, 0.0095,
                        0.0019, 0.0298, 0.0344, 0.6528, 0.0459, 0.5719, 0.7590};
    assert_true(stats_called(p, 15, 0.05) == 0.0095);
    assert_true(isnan(stats_called((double[]){0.03, 0.2}, 2, 0.05)));
    /* The second value suffices for both, though the first alone is above its own mark. */
    assert_true(stats_called((double[]){0.05, 0.03}, 2, 0.05) == 0.05);
    assert_true(isnan(stats_called(NULL, 0, 0.05)));
}
