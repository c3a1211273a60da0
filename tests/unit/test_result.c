/* What follows from the samples of a cell.
 * SPDX-License-Identifier: MIT */
#include "registry.h"
#include "results/result.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct sample timed(int round, int index, double kernel_s, unsigned flags)
{
    struct sample sample = result_no_sample();
    sample.round = round;
    sample.index = index;
    sample.repeats = 4 + index;
    sample.kernel_s = kernel_s;
    sample.flags = flags;
    return sample;
}

static struct result with_samples(const struct sample *from, size_t count)
{
    struct result result = {0};
    result_clear(&result);
    result.sample = calloc(count + 1, sizeof *result.sample);
    memcpy(result.sample, from, count * sizeof *from);
    result.sample_count = count;
    result.flops = 8e9;
    result.bytes = 2e9;
    return result;
}

static void a_value_is_the_median_of_round_medians(void **state)
{
    (void)state;
    /* The medians of the rounds are 2, 5 and 3, in no order of rounds. There is also an end-to-end series. */
    struct sample rows[] = {timed(0, 0, 1, 0), timed(2, 0, 3, FLAG_NOISY),       timed(0, 1, 2, 0),  timed(1, 0, 5, 0),
                            timed(0, 2, 9, 0), timed(0, 0, NAN, FLAG_THROTTLED), timed(0, 1, NAN, 0)};
    rows[5].upload_s = 1, rows[5].download_s = 2, rows[5].total_s = 10;
    rows[6].upload_s = 3, rows[6].download_s = 4, rows[6].total_s = 20;
    rows[1].launch = 2, rows[3].launch = 1;
    struct result result = with_samples(rows, 7);
    result.flags = FLAG_ONCE;
    result_summarise(&result);
    assert_true(result.median_s == 3 && result.ci_lo_s == 2 && result.ci_hi_s == 5 && result.min_s == 1);
    assert_int_equal(result.rounds, 3);
    assert_int_equal(result.launches, 3);
    assert_int_equal(result.samples, 5);
    assert_int_equal(result.repeats, 6);
    assert_true(result.upload_s == 2 && result.download_s == 3 && result.total_s == 15);
    assert_true(result.gflops == 8.0 / 3 && result.gbs == 2.0 / 3);
    assert_int_equal(result.flags, FLAG_ONCE | FLAG_NOISY | FLAG_THROTTLED);
    result_summarise(&result); /* a second call changes nothing */
    assert_true(result.median_s == 3);
    result_clear(&result);
    assert_null(result.sample);
    assert_true(isnan(result.median_s) && isnan(result.predicted_s));
}

static void one_round_has_no_interval(void **state)
{
    (void)state;
    const struct sample rows[] = {timed(0, 0, 4, 0), timed(0, 1, 2, 0)};
    struct result result = with_samples(rows, 2);
    result_summarise(&result);
    assert_true(result.median_s == 3 && result.min_s == 2);
    assert_true(isnan(result.ci_lo_s) && isnan(result.ci_hi_s) && isnan(result.total_s));
    result_clear(&result);
}

/* The work of a solver is that of as many sweeps as it took. The samples may differ in their sweeps. */
static void a_solvers_work_is_that_of_its_sweeps(void **state)
{
    (void)state;
    const struct entry entry = {.problem = registry_problem("seidel")};
    struct sample rows[] = {timed(0, 0, 2, 0), timed(0, 1, 2, 0), timed(1, 0, 2, 0), timed(1, 1, NAN, 0)};
    rows[0].iterations = 14, rows[1].iterations = 11, rows[2].iterations = 13;
    struct result result = with_samples(rows, 4);
    result.cell = (struct cell){.entry = &entry, .precision = F64, .n = 100};
    for (int again = 0; again < 2; again++) {
        result_summarise(&result);
        assert_int_equal(result.iterations, 13);
        assert_true(result.flops == 13 * (2 * 100 * 100 + 4 * 100));
        assert_true(result.bytes == 13 * 8 * (100 * 100 + 3 * 100));
        assert_true(result.gflops == result.flops / 2 / 1e9);
    }
    result_clear(&result);
}

/* Programs before 0.3.0 counted the whole of A A^T. Other problems may tell such a number by chance. */
static void a_row_of_an_older_program_is_counted_again(void **state)
{
    (void)state;
    const double needed = 100 * 101 * 30, whole = 2 * 100 * 100 * 30;
    const double told[] = {whole, needed, whole + 1, NAN}, counted[] = {needed, needed, whole + 1, NAN};
    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
        struct result result = {.cell = {.n = 100, .k = 30}, .flops = told[i], .gflops = told[i] / 1e9};
        result_recount(&result, registry_problem("aat"));
        assert_true(isnan(told[i]) ? isnan(result.flops) : result.flops == counted[i]);
        assert_true(isnan(told[i]) || fabs(result.gflops - counted[i] / 1e9) < 1e-15);
    }
    struct result result = {.cell = {.n = 100, .k = 30}, .flops = whole, .gflops = 1};
    result_recount(&result, registry_problem("matmul"));
    result_recount(&result, NULL);
    assert_true(result.flops == whole && result.gflops == 1);
}

/* A solver whose method fails keeps its numbers; a solver whose result is wrong has none. */
static void what_a_failed_solve_keeps_depends_on_the_blame(void **state)
{
    (void)state;
    for (int status = STATUS_SKIPPED; status < STATUSES; status++) {
        struct result result = with_samples((const struct sample[]){timed(0, 0, 4, 0)}, 1);
        const bool keeps = status == STATUS_DIVERGED || status == STATUS_STALLED || status == STATUS_LIMIT ||
                           status == STATUS_UNSTABLE;
        result.status = (enum status)status;
        result.iterations = 40;
        result.residual = 1e15;
        result.history = calloc(1, sizeof *result.history);
        result.history_count = 1;
        result_summarise(&result);
        assert_int_equal(result.iterations, keeps ? 40 : 0);
        assert_int_equal(result.history_count, keeps);
        assert_int_equal(isnan(result.residual), !keeps);
        assert_true(isnan(result.median_s));
        result_clear(&result);
    }
}

static void a_wrong_cell_has_no_time(void **state)
{
    (void)state;
    const struct sample rows[] = {timed(0, 0, 4, FLAG_NOISY), timed(1, 0, 2, 0)};
    for (int status = STATUS_SKIPPED; status < STATUSES; status++) {
        struct result result = with_samples(rows, 2);
        result_summarise(&result);
        result.status = (enum status)status;
        result.first_run_s = result.alloc_s = 1;
        result.error = 3;
        result.predicted_s = 7;
        result_summarise(&result);
        assert_null(result.sample);
        assert_int_equal(result.sample_count + (size_t)result.rounds + (size_t)result.samples + result.flags, 0);
        assert_true(isnan(result.median_s) && isnan(result.min_s) && isnan(result.gflops) && isnan(result.gbs));
        assert_true(isnan(result.first_run_s) && isnan(result.alloc_s) && isnan(result.ci_lo_s));
        assert_true(result.error == 3 && result.predicted_s == 7);
        result_clear(&result);
    }
}

static void energy_is_the_median_of_continuous_runs(void **state)
{
    (void)state;
    struct sample rows[] = {timed(0, 0, 1, 0), timed(0, 1, NAN, 0), timed(1, 0, 1, 0), timed(1, 1, NAN, 0),
                            timed(2, 0, 1, 0)};
    rows[1].energy_j = 3, rows[1].power_w = 300, rows[1].idle_w = 70;
    rows[3].energy_j = 5, rows[3].power_w = 500, rows[3].idle_w = 74;
    struct result result = with_samples(rows, 5);
    result_summarise(&result);
    assert_true(result.energy_j == 4 && result.power_w == 400 && result.idle_w == 72 && result.gflops_per_w == 2);
    assert_true(result.samples == 3 && result.rounds == 3 && result.median_s == 1 && isnan(result.total_s));
    result_clear(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_is_the_median_of_round_medians),
        cmocka_unit_test(one_round_has_no_interval),
        cmocka_unit_test(energy_is_the_median_of_continuous_runs),
        cmocka_unit_test(a_solvers_work_is_that_of_its_sweeps),
        cmocka_unit_test(a_row_of_an_older_program_is_counted_again),
        cmocka_unit_test(what_a_failed_solve_keeps_depends_on_the_blame),
        cmocka_unit_test(a_wrong_cell_has_no_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
