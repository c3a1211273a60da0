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
struct criterion {
    int rounds, launches, samples;
    double ci, max_time_s, min_time_s, once_above_s;
    uint64_t seed;
    bool seed_given; /* by the user, so that other runs may have the same seed */
    bool energy;     /* the energy was asked for */
    bool simulated;  /* a test's fake timer gave the times */
};

/* Longest text of a struct criterion, with its NUL. */
enum { CRITERION_SIZE = 208 };

/* Writes "rounds=8 launches=3 samples=10 ci=0.01 max-time=30 min-time=0.05 once-above=10 seed=1", then
 * " seed-given=yes" where the user gave the seed, " energy=yes" where the energy is asked for, and " clock=simulated"
 * for a fake timer. Returns the length. */
size_t criterion_print(const struct criterion *criterion, char text[CRITERION_SIZE]);
/* Reads what criterion_print wrote. False if the text has no meaning; an empty text, of a row of an older program, has
 * none. */
bool criterion_read(const char *text, size_t length, struct criterion *criterion);

/* Whether a result that was measured with `have` is as careful as `asked`. Such a result has no fewer rounds, launches
 * and samples, no less time, no wider interval, the same clock, and the energy if asked for. `once`: the result
 * is a single run. */
bool criterion_satisfies(const struct criterion *have, bool once, const struct criterion *asked);

#endif
