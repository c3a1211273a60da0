/* The clock of a device and the clock of the host: what is noise, and what is work outside of the events.
 * SPDX-License-Identifier: MIT */
#include "backend/clocks.h"
#include "test.h"

#include <math.h>

/* How many blocks like this one a job may have in a row, up to 20. */
static int allowed(double events_s, double busy_s, double host_s)
{
    struct clocks_doubts doubts = {0};
    const struct clocks block = {events_s, busy_s, host_s};
    int blocks = 0;
    while (blocks < 20 && clocks_judge(&doubts, &block) == CLOCKS_AGREE)
        blocks++;
    return blocks;
}

TEST(usual_blocks_agree)
{
    assert_int_equal(allowed(5e-3, 2e-6, 5.05e-3), 20);
    assert_int_equal(allowed(3e-6, 5e-6, 60e-6), 20);
    assert_int_equal(allowed(10, 5e-6, 10.001), 20);
}

/* Five programs for each core: the host wakes up some milliseconds after the device has ended. */
TEST(blocks_on_a_crowded_host_agree)
{
    assert_int_equal(allowed(3e-6, 40e-6, 6e-3), 20);
    assert_int_equal(allowed(2.65e-3, 0, 7.58e-3), 20);
    assert_int_equal(allowed(5e-3, 0, 30e-3), 20);
}

TEST(work_after_the_last_event_is_refused)
{
    assert_int_equal(allowed(2e-6, 100e-6, 130e-6), 2);
    assert_int_equal(allowed(5e-3, 1e-3, 6.1e-3), 2);
    /* 4 % of a block are no work that was hidden. */
    assert_int_equal(allowed(1, 0.04, 1.05), 20);
}

TEST(one_late_block_is_noise)
{
    struct clocks_doubts doubts = {0};
    const struct clocks late = {1e-3, 1e-3, 2.1e-3}, usual = {1e-3, 2e-6, 1.1e-3};
    for (int i = 0; i < 10; i++) {
        assert_int_equal(clocks_judge(&doubts, &late), CLOCKS_AGREE);
        assert_int_equal(clocks_judge(&doubts, &late), CLOCKS_AGREE);
        assert_int_equal(clocks_judge(&doubts, &usual), CLOCKS_AGREE);
    }
}

TEST(verdicts_tell_what_is_wrong)
{
    struct clocks_doubts doubts = {0};
    enum clocks_verdict verdict = CLOCKS_AGREE;
    for (int i = 0; i < 3; i++)
        verdict = clocks_judge(&doubts, &(struct clocks){1e-6, 1e-3, 1.1e-3});
    assert_int_equal(verdict, CLOCKS_LATE);
    doubts = (struct clocks_doubts){0};
    for (int i = 0; i < 8; i++)
        verdict = clocks_judge(&doubts, &(struct clocks){1e-6, 0, 50e-3});
    assert_int_equal(verdict, CLOCKS_APART);
}

TEST(events_tell_what_the_host_saw)
{
    assert_int_equal(allowed(1e-6, 0, 50e-3), 7);
    assert_int_equal(allowed(5e-3, 0, 1), 7);
    assert_int_equal(allowed(10e-3, 0, 1e-3), 7); /* more than the host saw */
}

TEST(unknown_clocks_agree)
{
    assert_int_equal(allowed(NAN, 0, 1), 20);
    assert_int_equal(allowed(1e-6, 2e-6, NAN), 20);
}

TEST(late_work_is_part_of_the_time)
{
    assert_true(clocks_time_s(&(struct clocks){2e-6, 100e-6, NAN}) == 2e-6 + 100e-6);
    assert_true(clocks_time_s(&(struct clocks){2e-6, 40e-6, NAN}) == 2e-6);
    assert_true(clocks_time_s(&(struct clocks){1, 0.04, NAN}) == 1);
}
