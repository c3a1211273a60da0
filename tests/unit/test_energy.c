/* Counters of energy: what they count when they wrap or begin anew, and the processor's packages by powercap.
 * SPDX-License-Identifier: MIT */
#include "machine/energy.h"

#include <ftw.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

static char root[64];

static int make_root(void **state)
{
    (void)state;
    snprintf(root, sizeof root, "/tmp/tilelab-energy-XXXXXX");
    return mkdtemp(root) == NULL;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
    (void)status;
    (void)type;
    (void)walk;
    return remove(path);
}

static int remove_root(void **state)
{
    (void)state;
    energy_use_root("");
    return nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void put(const char *zone, const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/sys", root);
    mkdir(path, 0700);
    strcat(path, "/class");
    mkdir(path, 0700);
    strcat(path, "/powercap");
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/sys/class/powercap/%s", root, zone);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/sys/class/powercap/%s/%s", root, zone, name);
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    fprintf(file, "%s\n", text);
    fclose(file);
}

static void test_a_counter_goes_on_where_it_wraps(void **state)
{
    (void)state;
    struct energy_counter ranged = {.unit_j = 1, .range = 1000}, whole = {.unit_j = 1e-3};
    assert_true(energy_count(&ranged, 990) && energy_count(&ranged, 998) && energy_count(&ranged, 4));
    assert_true(ranged.joules == 14);
    assert_true(energy_count(&whole, UINT64_MAX - 999) && energy_count(&whole, 1000));
    assert_true(fabs(whole.joules - 2) < 1e-12);
}

static void test_a_counter_that_began_anew_is_told(void **state)
{
    (void)state;
    struct energy_counter counter = {.unit_j = 1e-3};
    assert_true(energy_count(&counter, 5000000));
    assert_false(energy_count(&counter, 10));
    assert_true(energy_count(&counter, 1010) && counter.joules == 1);
}

static void test_packages_are_added_up(void **state)
{
    (void)state;
    char why[160] = "";
    put("intel-rapl:0", "name", "package-0");
    put("intel-rapl:0", "max_energy_range_uj", "9999999");
    put("intel-rapl:0", "energy_uj", "9000000");
    put("intel-rapl:1", "name", "package-1");
    put("intel-rapl:1", "max_energy_range_uj", "9999999");
    put("intel-rapl:1", "energy_uj", "1000000");
    put("intel-rapl:2", "name", "psys"); /* the whole board, which holds the packages */
    energy_use_root(root);
    const double before = energy_of_processor.joules(why, sizeof why);
    put("intel-rapl:0", "energy_uj", "500000"); /* it has wrapped */
    put("intel-rapl:1", "energy_uj", "3000000");
    assert_true(fabs(energy_of_processor.joules(why, sizeof why) - before - 3.5) < 1e-9);
    assert_string_equal(why, "");
}

static void test_a_counter_that_cannot_be_read_has_a_remedy(void **state)
{
    (void)state;
    char why[160] = "", path[128];
    energy_use_root("/nowhere");
    assert_true(isnan(energy_of_processor.joules(why, sizeof why)));
    assert_non_null(strstr(why, "measure on the bare machine"));
    snprintf(path, sizeof path, "%s/sys/class/powercap/intel-rapl:1/energy_uj", root);
    assert_int_equal(remove(path), 0);
    energy_use_root(root);
    assert_true(isnan(energy_of_processor.joules(why, sizeof why)));
    assert_non_null(strstr(why, "sudo chmod a+r /sys/class/powercap/*/energy_uj"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_counter_goes_on_where_it_wraps),
        cmocka_unit_test(test_a_counter_that_began_anew_is_told),
        cmocka_unit_test(test_packages_are_added_up),
        cmocka_unit_test(test_a_counter_that_cannot_be_read_has_a_remedy),
    };
    return cmocka_run_group_tests_name("energy", tests, make_root, remove_root);
}
