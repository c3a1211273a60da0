/* Counters of energy: what they count when they wrap or begin anew, and the processor's packages by powercap and perf.
 * SPDX-License-Identifier: MIT */
#include "machine/energy.h"
#include "folder_fixture.h"

#include "base/folder.h"
#include "base/timer.h"

#include <math.h>
#include <unistd.h>

FIXTURE(leave_root)
{
    energy_use_root("");
    return remove_folder(state);
}

static void put_zone(const char *zone, const char *name, const char *text)
{
    char path[96];
    snprintf(path, sizeof path, "sys/class/powercap/%s/%s", zone, name);
    put(path, "%s\n", text);
}

TEST(test_a_counter_goes_on_where_it_wraps)
{
    struct energy_counter ranged = {.unit_j = 1, .range = 1000}, whole = {.unit_j = 1e-3};
    assert_true(energy_count(&ranged, 990) && energy_count(&ranged, 998) && energy_count(&ranged, 4));
    assert_true(ranged.joules == 14);
    assert_true(energy_count(&whole, UINT64_MAX - 999) && energy_count(&whole, 1000));
    assert_true(fabs(whole.joules - 2) < 1e-12);
}

TEST(test_a_counter_that_began_anew_is_told)
{
    struct energy_counter counter = {.unit_j = 1e-3};
    assert_true(energy_count(&counter, 5000000));
    assert_false(energy_count(&counter, 10));
    assert_true(energy_count(&counter, 1010) && counter.joules == 1);
}

TEST(test_packages_are_added_up)
{
    char why[160] = "";
    put_zone("intel-rapl:0", "name", "package-0");
    put_zone("intel-rapl:0", "max_energy_range_uj", "9999999");
    put_zone("intel-rapl:0", "energy_uj", "9000000");
    put_zone("intel-rapl:1", "name", "package-1");
    put_zone("intel-rapl:1", "max_energy_range_uj", "9999999");
    put_zone("intel-rapl:1", "energy_uj", "1000000");
    put_zone("intel-rapl:2", "name", "psys"); /* the whole board, which holds the packages */
    energy_use_root(folder);
    const double before = energy_of_processor.joules(why, sizeof why);
    put_zone("intel-rapl:0", "energy_uj", "500000"); /* it has wrapped */
    put_zone("intel-rapl:1", "energy_uj", "3000000");
    assert_true(fabs(energy_of_processor.joules(why, sizeof why) - before - 3.5) < 1e-9);
    assert_string_equal(why, "");
}

TEST(test_a_counter_that_cannot_be_read_has_a_remedy)
{
    char why[160] = "", path[128];
    energy_use_root("/nowhere");
    assert_true(isnan(energy_of_processor.joules(why, sizeof why)));
    assert_non_null(strstr(why, "measure on the bare machine"));
    snprintf(path, sizeof path, "%s/sys/class/powercap/intel-rapl:1/energy_uj", folder);
    assert_int_equal(remove(path), 0);
    energy_use_root(folder);
    assert_true(isnan(energy_of_processor.joules(why, sizeof why)));
    assert_non_null(strstr(why, "sudo chmod a+r /sys/class/powercap/*/energy_uj"));
}

/* The clocks of two processors stand for two packages: an event of the kernel's own, in nanoseconds, called joules. */
TEST(test_power_events_of_all_packages_are_added_up)
{
    char why[160] = "", powercap[128];
    if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
        skip_because("one processor stands for one package");
    put("sys/bus/event_source/devices/power/type", "1\n");
    put("sys/bus/event_source/devices/power/cpumask", "0-1\n");
    put("sys/bus/event_source/devices/power/events/energy-pkg", "event=0x0\n");
    put("sys/bus/event_source/devices/power/events/energy-pkg.scale", "1.0e-9\n");
    snprintf(powercap, sizeof powercap, "%s/sys/class", folder);
    folder_remove(powercap);
    energy_use_root(folder);
    const double before = energy_of_processor.joules(why, sizeof why), begin_s = timer_now_s();
    if (isnan(before) && strstr(why, "perf_event_paranoid"))
        skip_because("the kernel refuses events of perf to this user");
    while (timer_now_s() < begin_s + 0.05)
        ;
    const double counted = energy_of_processor.joules(why, sizeof why) - before, passed_s = timer_now_s() - begin_s;
    assert_string_equal(why, "");
    assert_true(counted > 1.5 * 0.05 && counted < 2.5 * passed_s);
}

TEST_MAIN(make_folder, leave_root)
