/* Measuring a cell in this process: when a result is verified, and when a cell counts as warm.
 * SPDX-License-Identifier: MIT */
#include "cell.h"
#include "worker/measure.h"
#include "worker/prepared.h"
#include "test.h"

#include <math.h>

static struct outcome outcome;
static const struct measure measure = {
    .rounds = 2, .launches = 1, .min_samples = 3, .ci = 0.02, .max_time_s = 0.02, .min_time_s = 0.001, .seed = 1};

/* A cell of the first build that this architecture has. */
static struct cell cell_of(const char *variant)
{
    struct cell cell = {.entry = registry_find(variant), .precision = F64, .opt = 2, .m = 24, .n = 24, .k = 24};
    while (!cell_variant(&cell))
        cell.isa++;
    return cell;
}

FIXTURE(open_worker)
{
    char why[200];
    const struct cell cell = cell_of("matmul/seq-ijk");
    const struct backend_setup setup = backend_setup(&cell);
    return measure_open(&setup, false, why, sizeof why);
}

FIXTURE(close_worker)
{
    measure_close();
    return 0;
}

TEST(a_result_is_verified_unless_it_is_bit_for_bit_a_verified_one)
{
    const struct cell cell = cell_of("matmul/seq-ijk");
    measure_check(&cell, INPUTS_RANDOM, 1, 0, &outcome);
    assert_int_equal(outcome.status, STATUS_OK);
    assert_true(outcome.verified && outcome.digest != 0);
    const uint64_t digest = outcome.digest;
    measure_check(&cell, INPUTS_RANDOM, 1, digest, &outcome);
    assert_int_equal(outcome.status, STATUS_OK);
    assert_false(outcome.verified);
    /* Of another result, only its own verification tells whether it is right. */
    measure_check(&cell, INPUTS_RANDOM, 1, digest + 1, &outcome);
    assert_int_equal(outcome.status, STATUS_OK);
    assert_true(outcome.verified);
    measure_check(&cell, INPUTS_RANDOM, 2, digest, &outcome);
    assert_true(outcome.verified || outcome.digest == digest);
}

TEST(a_wrong_result_is_found_whatever_was_verified_before)
{
    setenv("TILELAB_TEST", "1", 1);
    const struct cell right = cell_of("fault/cpu-right"), wrong = cell_of("fault/cpu-wrong");
    measure_check(&right, INPUTS_RANDOM, 1, 0, &outcome);
    assert_int_equal(outcome.status, STATUS_OK);
    const uint64_t digest = outcome.digest;
    measure_check(&wrong, INPUTS_RANDOM, 1, digest, &outcome);
    assert_int_equal(outcome.status, STATUS_WRONG);
    /* Its rounds have nothing to be compared with, so that they are verified and fail as well. */
    measure_round(&wrong, &measure, &(struct round_request){0}, &outcome);
    assert_int_equal(outcome.status, STATUS_WRONG);
}

TEST(a_cell_is_warm_once_two_runs_agree)
{
    assert_true(prepared_agree(1.0, 1.04) && prepared_agree(1.04, 1.0));
    assert_false(prepared_agree(1.0, 1.2) || prepared_agree(1.2, 1.0));
    /* A time that is not known agrees with none. */
    assert_false(prepared_agree(0, 0) || prepared_agree(1.0, 0) || prepared_agree(0, 1.0));
}

TEST(a_round_has_its_samples_and_its_output_is_the_verified_one)
{
    const struct cell cell = cell_of("matmul/seq-ikj");
    measure_check(&cell, INPUTS_EXACT, 1, 0, &outcome);
    measure_check(&cell, INPUTS_RANDOM, 1, 0, &outcome);
    measure_warm(&cell, &measure, 0, &outcome);
    assert_int_equal(outcome.status, STATUS_OK);
    assert_true(outcome.run_s > 0);
    for (int round = 0; round < measure.rounds; round++) {
        measure_round(&cell, &measure, &(struct round_request){.round = round}, &outcome);
        assert_int_equal(outcome.status, STATUS_OK);
        assert_true(outcome.samples >= measure.min_samples && outcome.sample[0].round == round);
        assert_int_equal(outcome.bitwise, 1);
    }
    /* Where the rounds lie far apart, the median of one of them need not have converged. */
    measure_round(&cell, &measure, &(struct round_request){.spread = INFINITY}, &outcome);
    assert_true(outcome.samples >= measure.min_samples);
}

/* The second run of a sample would find in the caches what the first run left there. */
TEST(cold_caches_are_made_cold_before_each_run)
{
    struct cell cell = cell_of("matmul/seq-ikj");
    struct outcome none = outcome_none();
    measure_check(&cell, INPUTS_RANDOM, 1, 0, &outcome);
    measure_round(&cell, &measure, &(struct round_request){0}, &outcome);
    const struct operands *const operands = operands_open(backend_of(&cell)->worker, &cell, &none);
    assert_int_equal(operands->evictions, 0);
    cell.cache = CACHE_COLD;
    measure_check(&cell, INPUTS_RANDOM, 1, 0, &outcome);
    measure_round(&cell, &measure, &(struct round_request){0}, &outcome);
    assert_int_equal(outcome.status, STATUS_OK);
    assert_true(outcome.samples >= measure.min_samples);
    for (int i = 0; i < outcome.samples; i++)
        assert_int_equal(outcome.sample[i].repeats, 1);
    assert_true(operands->evictions > outcome.samples); /* the verified run had cold caches too */
}

TEST_MAIN(open_worker, close_worker)
