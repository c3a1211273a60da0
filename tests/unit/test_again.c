/* Which times are in doubt, and which fresh times take their place.
 * SPDX-License-Identifier: MIT */
#include "run/run_parts.h"
#include "test.h"

#include "registry.h"

#include <math.h>

/* A time of matmul/seq-ijk with an interval of 2 %. */
static struct result time_at(int64_t n, double median_s)
{
    struct result result = {
        .status = STATUS_OK,
        .cell = {.entry = registry_find("matmul/seq-ijk"), .precision = F64, .m = n, .n = n, .k = n},
        .rounds = 5,
        .launches = 3,
        .flops = 2.0 * (double)n * (double)n * (double)n,
        .median_s = median_s,
        .min_s = 0.99 * median_s,
        .ci_lo_s = 0.99 * median_s,
        .ci_hi_s = 1.01 * median_s};
    return result;
}

TEST(a_median_above_three_times_the_shortest_sample_is_unsteady)
{
    struct result result = time_at(64, 3.0);
    result.min_s = 1.0;
    assert_false(result_is_unsteady(&result));
    result.median_s = 3.01;
    assert_true(result_is_unsteady(&result));
    result.status = STATUS_WRONG;
    assert_false(result_is_unsteady(&result));
}

TEST(a_time_above_that_of_a_larger_size_is_in_doubt)
{
    const struct result small = time_at(64, 1.0), large = time_at(80, 0.9), about = time_at(66, 0.9),
                        near = time_at(80, 0.985), slow = time_at(80, 1.5);
    assert_true(run_again_contradicts(&small, &large));
    assert_false(run_again_contradicts(&large, &small)); /* the other one is the smaller */
    assert_false(run_again_contradicts(&small, &about)); /* of about the same work */
    assert_false(run_again_contradicts(&small, &near));  /* the intervals overlap */
    assert_false(run_again_contradicts(&small, &slow));
}

TEST(only_sizes_of_one_variant_on_one_machine_contradict_each_other)
{
    const struct result small = time_at(64, 1.0);
    struct result large = time_at(80, 0.9);
    large.cell.threads = 2;
    assert_false(run_again_contradicts(&small, &large));
    large = time_at(80, 0.9);
    large.cell.k = 32;
    assert_false(run_again_contradicts(&small, &large)); /* smaller in one extent */
    large = time_at(80, 0.9);
    large.cell.entry = registry_find("matmul/seq-ikj");
    assert_false(run_again_contradicts(&small, &large));
    large = time_at(80, 0.9);
    strcpy(large.machine_mark, "other");
    assert_false(run_again_contradicts(&small, &large));
    large = time_at(80, 0.9);
    large.status = STATUS_WRONG;
    assert_false(run_again_contradicts(&small, &large));
}

TEST(a_doubtful_time_gives_way_to_a_time_of_the_same_care)
{
    const struct result doubtful = time_at(64, 1.0);
    struct result fresh = time_at(64, 0.1);
    assert_true(run_again_gives_way(&doubtful, &fresh));
    fresh.rounds = 4;
    assert_false(run_again_gives_way(&doubtful, &fresh));
    fresh = time_at(64, 0.1);
    fresh.launches = 2;
    assert_false(run_again_gives_way(&doubtful, &fresh));
    fresh.status = STATUS_WRONG; /* what a worker finds out is no time */
    assert_true(run_again_gives_way(&doubtful, &fresh));
}

TEST(a_library_that_loses_by_threads_is_measured_again)
{
    struct result fewer = time_at(64, 1.0), more = time_at(64, 1.6);
    fewer.cell.threads = 1;
    more.cell.threads = 2;
    assert_false(run_again_loses(&more, &fewer)); /* a variant of our own */
    fewer.cell.entry = more.cell.entry = registry_find("matmul/blas-openblas");
    assert_true(run_again_loses(&more, &fewer));
    assert_false(run_again_loses(&fewer, &more));
    more.cell.n = 80;
    assert_false(run_again_loses(&more, &fewer));
    more.cell.n = 64;
    more.median_s = 1.4;
    assert_false(run_again_loses(&more, &fewer));
    more.median_s = 1.6;
    more.status = STATUS_WRONG;
    assert_false(run_again_loses(&more, &fewer));
}

/* A time of the probe of multiply-adds whose fastest round reached `rate` operations a second. */
static struct result probe_at(double rate)
{
    struct result result = time_at(1024, 1.0);
    result.cell = (struct cell){.entry = registry_find("fma/omp"), .precision = F64, .m = 768, .n = 1024, .threads = 1};
    result.ci_lo_s = result.flops / rate;
    return result;
}

TEST(the_fastest_round_of_a_probe_is_its_rate)
{
    struct result probe = probe_at(2e9);
    assert_true(fabs(run_ceilings_rate(&probe) - 2e9) < 1);
    probe.ci_lo_s = NAN; /* a single round */
    assert_true(run_ceilings_rate(&probe) == probe.flops / probe.median_s);
    probe.status = STATUS_FAILED;
    assert_true(run_ceilings_rate(&probe) == 0);
}

TEST(a_probe_gives_way_to_a_higher_ceiling_alone)
{
    const struct result low = probe_at(2e9), high = probe_at(3e9);
    assert_true(run_again_gives_way(&low, &high));
    assert_false(run_again_gives_way(&high, &low));
    struct result unsteady = high;
    unsteady.min_s = unsteady.median_s / 4;
    assert_true(run_again_gives_way(&unsteady, &low));
}
