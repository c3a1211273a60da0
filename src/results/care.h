/* How carefully a result was measured.
 * SPDX-License-Identifier: MIT
 *
 * A result is kept until a better one is there, and a careful result satisfies a less careful request. Both rules
 * compare the settings of two measurements; a row of results.csv tells them in its column `measure`. */
#ifndef TILELAB_RESULTS_CARE_H
#define TILELAB_RESULTS_CARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The settings of a measurement. The keys of `measure` in an experiment file explain them. */
struct care {
    int rounds, launches, samples;
    double ci, max_time_s, min_time_s, once_above_s;
    uint64_t seed;
    bool pretended; /* a test's fake timer gave the times */
};

/* Longest text of a struct care, with its NUL. */
enum { CARE_SIZE = 192 };

/* Writes "rounds=8 launches=3 samples=10 ci=0.01 max-time=30 min-time=0.05 once-above=10 seed=1", and for a fake timer
 * " clock=pretended". Returns the length. */
size_t care_print(const struct care *care, char text[CARE_SIZE]);
/* Reads what care_print wrote. False if the text has no meaning; an empty text, of a row of an older program, has
 * none. */
bool care_read(const char *text, size_t length, struct care *care);

/* Whether a result that was measured with `have` is as careful as `asked`. Such a result has no fewer rounds, launches
 * and samples, no less time, no wider interval, and the same clock. `once`: the result is a single run. */
bool care_satisfies(const struct care *have, bool once, const struct care *asked);

#endif
