/* How a unit test is left out: tests/run prints the reason at its end.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_TESTS_SKIP_H
#define TILELAB_TESTS_SKIP_H

/* Ends the test that calls it. Needs cmocka.h. */
#define skip_because(reason) \
    do { \
        print_message("# left out: %s\n", reason); \
        skip(); \
    } while (0)

#endif
