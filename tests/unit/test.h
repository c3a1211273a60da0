/* How a unit test is written: TEST(name) and its body. The program of a file runs the tests of the file in their order.
 * A file whose tests share a set-up ends with TEST_MAIN; one that takes arguments has a main that calls test_all.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_TESTS_TEST_H
#define TILELAB_TESTS_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct test {
    struct CMUnitTest unit;
    int line;
};

/* A test between two functions of cmocka, each of which may be NULL. The linker gathers the tests of a program. */
#define TEST_AROUND(name, set_up, tear_down) \
    static void name(void **state); \
    static const struct test name##_test = {{#name, name, set_up, tear_down, NULL}, __LINE__}; \
    static const struct test *const name##_row __attribute__((section("unit_tests"), used)) = &name##_test; \
    static void name(__attribute__((unused)) void **state)
#define TEST(name) TEST_AROUND(name, NULL, NULL)

/* A function of cmocka that stands around a test or around all of them: FIXTURE(name) and its body, which returns 0. */
#define FIXTURE(name) static int name(__attribute__((unused)) void **state)

/* Runs all tests of this program between two functions of cmocka. Returns the exit status. */
int test_all(CMFixtureFunction set_up, CMFixtureFunction tear_down);
#define TEST_MAIN(set_up, tear_down) \
    int main(void) \
    { \
        return test_all(set_up, tear_down); \
    }

/* Ends the test that calls it; tests/run prints the reason at its end. */
#define skip_because(reason) \
    do { \
        print_message("# left out: %s\n", reason); \
        skip(); \
    } while (0)

#endif
