/* The continuous run of a cell, with a counter of energy that this file pretends: what is told, and which times are
 * flagged, where other programs use the device.
 * SPDX-License-Identifier: MIT */
#include "cell.h"
#include "worker/measure.h"
#include "worker/operands.h"
#include "test.h"

#include <math.h>

static struct outcome outcome;
static struct cell cell;
static struct backend_worker mock;
static bool others_when_idle, others_when_busy;

static double joules(char *why, size_t size)
{
    static double counted;
    (void)why, (void)size;
    return counted++;
}

static void begin(void)
{
}

static bool shared(bool idle)
{
    return idle ? others_when_idle : others_when_busy;
}

static struct energy_meter meter = {
    .joules = joules, .begin = begin, .shared = shared, .shared_by = "others used the device"};

/* A round of the cell. Returns the flags of its samples. */
static unsigned round_flags(void)
{
    const struct measure measure = {.rounds = 1,
                                    .launches = 1,
                                    .min_samples = 3,
                                    .ci = 0.02,
                                    .max_time_s = 0.02,
                                    .min_time_s = 0.001,
                                    .seed = 1,
                                    .energy = true};
    unsigned flags = 0;
    measure_round(&cell, &measure, &(struct round_request){0}, &outcome);
    assert_int_equal(outcome.status, STATUS_OK);
    for (int i = 0; i < outcome.samples; i++)
        flags |= outcome.sample[i].flags;
    return flags;
}

FIXTURE(open_worker)
{
    char why[200];
    struct outcome none = outcome_none();
    setenv("TILELAB_FAKE_TIMER", "1", 1);
    cell =
        (struct cell){.entry = registry_find("matmul/seq-ijk"), .precision = F64, .opt = 2, .m = 24, .n = 24, .k = 24};
    while (!cell_variant(&cell))
        cell.isa++;
    const struct backend_setup setup = backend_setup(&cell);
    if (measure_open(&setup, false, why, sizeof why) != 0)
        return -1;
    measure_check(&cell, INPUTS_RANDOM, 1, 0, &outcome);
    struct operands *operands = operands_open(backend_of(&cell)->worker, &cell, &none);
    mock = *operands->backend;
    mock.energy = &meter;
    operands->backend = &mock;
    return 0;
}

FIXTURE(close_worker)
{
    measure_close();
    return 0;
}

TEST(others_on_the_device_leave_no_number_and_doubtful_times_only_where_they_spoil_them)
{
    others_when_idle = true;
    assert_int_equal(round_flags(), 0);
    assert_string_equal(outcome.no_energy,
                        "others used the device while this program left it idle, so that its watts are not ours");
    others_when_idle = false;
    others_when_busy = true;
    assert_int_equal(round_flags(), 0);
    assert_string_equal(outcome.no_energy,
                        "others used the device during the continuous run, so that its watts are not ours");
    meter.spoils_times = true;
    assert_int_equal(round_flags(), FLAG_NOISY);
    others_when_busy = false;
    assert_int_equal(round_flags(), 0);
    assert_string_equal(outcome.no_energy, "");
    const struct sample *last = &outcome.sample[outcome.samples - 1];
    assert_true(isnan(last->kernel_s) && last->energy_j > 0 && last->power_w > 0 && last->idle_w > 0);
}

TEST_MAIN(open_worker, close_worker)
