/* Inputs are the same on every machine, for every number of threads, precision and order of filling.
 * SPDX-License-Identifier: MIT */
#include "variant.h"
#include "verify/inputs.h"
#include "verify/parallel.h"
#include "test.h"

#include <math.h>

TEST(bits_are_those_of_every_other_machine)
{
    assert_true(inputs_bits(1, 0, 0) == UINT64_C(0x11f7a1077d3c7c89));
    assert_true(inputs_bits(1, 1, 0) == UINT64_C(0x936e232ad9564eab));
    assert_true(inputs_bits(2, 0, 12345678901) == UINT64_C(0xc8d2c37853d310c9));
}

TEST(uniform_is_in_range_and_a_multiple_of_the_last_place)
{
    double sum = 0, sum2 = 0;
    enum { COUNT = 100000 };
    for (int i = 0; i < COUNT; i++) {
        const double x = inputs_uniform(7, 3, (uint64_t)i), scaled = x * 0x1p52;
        assert_true(x >= -1 && x < 1);
        assert_true(scaled == floor(scaled));
        sum += x;
        sum2 += x * x;
    }
    /* The bounds are five standard deviations of the mean and of the mean square. */
    assert_true(fabs(sum / COUNT) < 5 * sqrt(1.0 / 3 / COUNT));
    assert_true(fabs(sum2 / COUNT - 1.0 / 3) < 5 * sqrt(4.0 / 45 / COUNT));
}

TEST(integers_reach_both_ends_and_no_further)
{
    int seen[7] = {0};
    for (int i = 0; i < 7000; i++) {
        const int64_t value = inputs_integer(1, 2, (uint64_t)i, -3, 3);
        assert_true(value >= -3 && value <= 3);
        seen[value + 3]++;
    }
    for (int i = 0; i < 7; i++)
        assert_true(seen[i] > 800 && seen[i] < 1200);
    assert_int_equal(inputs_integer(1, 2, 3, 5, 5), 5);
}

TEST(seeds_and_streams_share_nothing)
{
    for (uint64_t i = 0; i < 1000; i++) {
        assert_true(inputs_bits(1, 0, i) != inputs_bits(1, 1, i));
        assert_true(inputs_bits(1, 0, i) != inputs_bits(2, 0, i));
        assert_true(inputs_bits(1, 0, i) != inputs_bits(0, 1, i));
        assert_true(inputs_bits(1, 0, i) != inputs_bits(1, 0, i + 1));
    }
}

/* A length above a thread's share, and no multiple of the share. */
enum { LONG = 200003 };

TEST(a_filled_array_holds_the_elements_one_by_one)
{
    float *f32 = malloc(LONG * sizeof *f32);
    double *f64 = malloc(LONG * sizeof *f64);
    int32_t *i32 = malloc(LONG * sizeof *i32);
    assert_true(f32 && f64 && i32);

    inputs_fill_uniform(f64, LONG, F64, 5, 1);
    inputs_fill_uniform(f32, LONG, F32, 5, 1);
    for (int i = 0; i < LONG; i++) {
        assert_true(f64[i] == inputs_uniform(5, 1, (uint64_t)i));
        assert_true(f32[i] == (float)f64[i]);
    }
    inputs_fill_integers(f64, LONG, F64, 5, 1, -50, 50);
    inputs_fill_integers(f32, LONG, F32, 5, 1, -50, 50);
    inputs_fill_integers(i32, LONG, I32, 5, 1, -50, 50);
    for (int i = 0; i < LONG; i++) {
        assert_true(i32[i] == inputs_integer(5, 1, (uint64_t)i, -50, 50));
        assert_true(f64[i] == i32[i] && f32[i] == (float)i32[i]);
    }
    free(f32);
    free(f64);
    free(i32);
}

TEST(nothing_beyond_the_count_is_written)
{
    for (int64_t count = 0; count < 5; count++) {
        double values[6] = {9, 9, 9, 9, 9, 9};
        inputs_fill_uniform(values, count, F64, 1, 0);
        for (int64_t i = count; i < 6; i++)
            assert_true(values[i] == 9);
    }
}

static void mark(int64_t begin, int64_t end, void *context)
{
    int *visits = context;
    assert_true(begin < end);
    for (int64_t i = begin; i < end; i++)
        visits[i]++;
}

TEST(a_parallel_loop_visits_everything_once)
{
    static int visits[1001];
    parallel_init();
    for (int64_t count = 0; count <= 1000; count = count * 3 / 2 + 1) {
        memset(visits, 0, sizeof visits);
        parallel_for(count, mark, visits);
        for (int64_t i = 0; i < 1001; i++)
            assert_int_equal(visits[i], i < count);
    }
}
