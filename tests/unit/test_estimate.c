/* Tests of what a run says about the time that is left, and of the prediction behind it.
 * SPDX-License-Identifier: MIT */
#include "run/estimate.h"
#include "test.h"

#include "cell.h"
#include "plan/predict.h"

#include <math.h>

/* Works on a part that was predicted to take `expected_s` and takes `takes_s`. Returns the time after it. */
static double work(struct estimate *estimate, enum part part, double expected_s, double takes_s, double now_s)
{
    estimate_begin(estimate, part, expected_s, now_s);
    estimate_end(estimate, true, now_s + takes_s);
    estimate->left_s[part] -= expected_s;
    return now_s + takes_s;
}

TEST(time_passes_while_a_part_is_worked_on)
{
    struct estimate estimate = {.left_s = {[PART_ROUND] = 100}};
    estimate_begin(&estimate, PART_ROUND, 20, 1000);
    assert_float_equal(estimate_left_s(&estimate, 1000), 100, 1e-9);
    assert_float_equal(estimate_left_s(&estimate, 1010), 90, 1e-9);
    /* The part takes longer than predicted: what is left after it stays. */
    assert_true(estimate_left_s(&estimate, 1060) >= 80 * 0.8);
    assert_true(estimate_left_s(&estimate, 1060) <= 80);
}

TEST(each_kind_of_part_is_corrected_by_itself)
{
    struct estimate estimate = {.left_s = {[PART_CHECK] = 200, [PART_ROUND] = 100}};
    double now_s = 0;
    for (int i = 0; i < 10; i++)
        now_s = work(&estimate, PART_CHECK, 10, 30, now_s);
    /* 100 s of checks were expected and took 300 s; no round is finished. */
    assert_float_equal(estimate_correct_s(&estimate, estimate.left_s), 100 * 302.0 / 102 + 100, 1e-6);
}

TEST(a_lost_part_corrects_nothing)
{
    struct estimate estimate = {.left_s = {[PART_ROUND] = 100}};
    estimate_begin(&estimate, PART_ROUND, 1, 0);
    estimate_end(&estimate, false, 500);
    assert_float_equal(estimate_left_s(&estimate, 500), 100, 1e-9);
}

/* A run of 24 cells whose checks take five times and whose rounds take twice what was predicted. */
TEST(the_end_that_is_told_moves_little_once_parts_of_each_kind_are_finished)
{
    enum { CELLS = 24, ROUNDS = 5 };
    const double true_end_s = CELLS * 5.0 * 1 + CELLS * ROUNDS * 2.0 * 1;
    struct estimate estimate = {.left_s = {[PART_CHECK] = CELLS, [PART_ROUND] = CELLS * ROUNDS}};
    double now_s = 0, last_s = INFINITY;
    int rises = 0;
    for (int i = 0; i < CELLS; i++) {
        now_s = work(&estimate, PART_CHECK, 1, 5, now_s);
        last_s = estimate_left_s(&estimate, now_s);
    }
    for (int i = 0; i < CELLS * ROUNDS; i++) {
        now_s = work(&estimate, PART_ROUND, 1, 2, now_s);
        const double left_s = estimate_left_s(&estimate, now_s);
        rises += left_s > last_s;
        last_s = left_s;
        if (i >= CELLS / 2)
            assert_true(fabs(now_s + left_s - true_end_s) <= 0.2 * (true_end_s - now_s) + 3);
    }
    assert_in_range(rises, 0, 4);
}

static struct cell cell_of(const char *variant, int64_t n, int64_t threads)
{
    return (struct cell){.entry = registry_find(variant),
                         .precision = F64,
                         .isa = 1,
                         .opt = 2,
                         .m = n,
                         .n = n,
                         .k = n,
                         .threads = threads};
}

static const struct measure quick = {.rounds = 5,
                                     .launches = 3,
                                     .min_samples = 10,
                                     .ci = 0.02,
                                     .max_time_s = 0.3,
                                     .min_time_s = 0.02,
                                     .once_above_s = 2,
                                     .skip_above_s = 120};

TEST(a_worker_is_started_by_its_first_cell)
{
    struct predict_workers workers = {.count = 0};
    const struct cell one = cell_of("matmul/seq-ijk", 256, 0), other = cell_of("matmul/seq-ikj", 256, 0),
                      team = cell_of("matmul/omp-ikj", 256, 2);
    assert_int_equal(predict_starts_worker(&workers, &one), PREDICT_STARTS);
    assert_int_equal(predict_starts_worker(&workers, &other), PREDICT_GOES_ON);
    assert_int_equal(predict_starts_worker(&workers, &team), PREDICT_STARTS);
    assert_int_equal(predict_starts_worker(&workers, &team), PREDICT_GOES_ON);
    /* The workers live on at the next point. */
    predict_next_point(&workers);
    assert_int_equal(predict_starts_worker(&workers, &one), PREDICT_STARTS_AGAIN);
    assert_int_equal(predict_starts_worker(&workers, &other), PREDICT_GOES_ON);
    const struct cost first = predict_cost(&quick, &one, 0.01, PREDICT_STARTS),
                      again = predict_cost(&quick, &one, 0.01, PREDICT_STARTS_AGAIN),
                      second = predict_cost(&quick, &one, 0.01, PREDICT_GOES_ON);
    assert_int_equal(first.starts, 3);
    assert_int_equal(again.starts, 2);
    assert_int_equal(second.starts, 0);
    assert_true(first.start_s > 0 && second.start_s == 0);
    assert_true(predict_total_s(&first) > predict_total_s(&second));
    /* The first cell also raises the clock of an idle core. */
    assert_true(first.raise_s >= 0.05 && again.raise_s == 0 && second.raise_s == 0);
}

TEST(the_cost_has_the_parts_that_the_settings_ask_for)
{
    const struct cell cell = cell_of("matmul/seq-ijk", 256, 0);
    const struct cost cost = predict_cost(&quick, &cell, 0.01, PREDICT_GOES_ON);
    assert_int_equal(cost.launches, 3);
    assert_int_equal(cost.rounds, 5);
    /* The check is a run of the warm-up. Whether it takes another run depends on the times. */
    assert_true(cost.exact_s > 0 && cost.check_s >= 0.01 && cost.warm_s > 0 && cost.warm_s <= 0.01);
    /* A round has an untimed run, since caches hold other data by then. Its samples take its share of the time, because
     * ten samples would take longer. */
    assert_true(cost.round_s >= 0.07 && cost.round_s < 0.1);
    assert_float_equal(predict_total_s(&cost),
                       cost.exact_s + cost.verify_s + 3 * (cost.check_s + cost.warm_s) + 5 * cost.round_s, 1e-9);
}

TEST(a_run_much_longer_than_loading_its_operands_needs_no_untimed_run)
{
    const struct cell small = cell_of("matmul/seq-ijk", 64, 0), large = cell_of("matmul/seq-ijk", 1024, 0);
    const double of_small_s = predict_cost(&quick, &small, 0.2, PREDICT_GOES_ON).round_s,
                 of_large_s = predict_cost(&quick, &large, 0.2, PREDICT_GOES_ON).round_s;
    assert_true(of_small_s >= 0.2 && of_small_s < 0.3);
    assert_true(of_large_s >= 0.4);
}

TEST(a_gpu_cell_needs_fewer_rounds_in_as_many_launches)
{
    const struct cell cpu = cell_of("matmul/seq-ijk", 256, 0), gpu = cell_of("matmul/cuda-global", 256, 0);
    struct measure full = quick;
    full.rounds = 8;
    const struct cost on_cpu = predict_cost(&full, &cpu, 0.001, PREDICT_GOES_ON),
                      on_gpu = predict_cost(&full, &gpu, 0.001, PREDICT_GOES_ON);
    assert_int_equal(on_cpu.rounds, 8);
    assert_int_equal(on_gpu.rounds, 6);
    assert_int_equal(on_gpu.launches, 3);
    assert_int_equal(predict_needed_rounds(&gpu, 5), 5);
    assert_int_equal(predict_needed_rounds(&gpu, 3), 3);
}

TEST(a_long_run_has_one_round_a_launch_and_a_shorter_one_as_many_as_a_verdict_needs)
{
    struct measure full = quick, few = quick;
    full.rounds = 8;
    full.max_time_s = 30;
    few.rounds = 2;
    assert_int_equal(predict_rounds(&full, 1.0), 8);
    assert_int_equal(predict_rounds(&full, 2.1), 3); /* not the eight that would fit */
    assert_int_equal(predict_rounds(&full, 20), 3);
    assert_int_equal(predict_rounds(&quick, 1.9), 5); /* although not one of them fits into max-time */
    full.max_time_s = 3;
    assert_int_equal(predict_rounds(&full, 0.5), 6);
    assert_int_equal(predict_rounds(&full, 1.9), 5);
    assert_int_equal(predict_rounds(&few, 3), 2);
}

TEST(a_cell_that_runs_once_has_neither_rounds_nor_launches)
{
    const struct cell cell = cell_of("matmul/seq-ijk", 2048, 0);
    const struct cost cost = predict_cost(&quick, &cell, 5, PREDICT_GOES_ON);
    assert_int_equal(cost.launches, 1);
    assert_int_equal(cost.rounds, 0);
    assert_true(predict_total_s(&cost) >= 5 && predict_total_s(&cost) < 6);
}
