/* Runs the unit tests of a program.
 * SPDX-License-Identifier: MIT */
#include "test.h"

/* The linker's names for both ends of the section. */
extern const struct test *const __start_unit_tests[], *const __stop_unit_tests[];

static int compare_lines(const void *a, const void *b)
{
    const struct test *const *one = a, *const *other = b;
    return (*one)->line - (*other)->line;
}

int test_all(CMFixtureFunction set_up, CMFixtureFunction tear_down)
{
    const size_t count = (size_t)(__stop_unit_tests - __start_unit_tests);
    const struct test **row = calloc(count, sizeof *row);
    struct CMUnitTest *unit = calloc(count, sizeof *unit);
    if (!row || !unit)
        return EXIT_FAILURE;
    for (size_t i = 0; i < count; i++)
        row[i] = __start_unit_tests[i];
    qsort(row, count, sizeof *row, compare_lines);
    for (size_t i = 0; i < count; i++)
        unit[i] = row[i]->unit;
    free(row);
    const int failed = _cmocka_run_group_tests("tests", unit, count, set_up, tear_down);
    free(unit);
    return failed;
}

/* The main of a file that has none. */
__attribute__((weak)) int main(void)
{
    return test_all(NULL, NULL);
}
