/* The rule by which two times are compared. It is written here and nowhere else.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BASE_COMPARISON_H
#define TILELAB_BASE_COMPARISON_H

enum comparison {
    COMPARISON_SINGLE,
    COMPARISON_UNDECIDED,
    COMPARISON_SAME,
    COMPARISON_FASTER,
    COMPARISON_SLOWER,
    COMPARISONS
};
extern const char *const comparison_names[COMPARISONS]; /* "single", "undecided", "same", "faster", "slower" */

/* Speed-ups between 1 / (1 + COMPARISON_THRESHOLD) and 1 + COMPARISON_THRESHOLD are no difference. */
#define COMPARISON_THRESHOLD 0.02

/* Judges a speed-up, which is the other time over the own time, with its interval. FASTER or SLOWER: the interval
 * excludes 1, and the speed-up exceeds the threshold. SAME: the whole interval lies within the threshold. SINGLE: an
 * end of the interval is NAN, because a side ran once. The rule judges 1 / speed-up the opposite way. */
enum comparison comparison_of(double speedup, double low, double high);

/* A verdict needs so many rounds, over so many launches, on both sides. Where a run takes longer than these seconds,
 * one round in each launch suffices. */
enum { COMPARISON_ROUNDS = 5, COMPARISON_LAUNCHES = 3 };
#define COMPARISON_LONG_S 2.0
/* The rounds that a verdict needs of a time. */
int comparison_rounds(double time_s);
/* The share of cases in which the range of so many independent round medians covers the true median. */
double comparison_coverage(int rounds);

/* The share of false ones among all differences that a comparison of many cells calls, after Benjamini and Hochberg. */
#define COMPARISON_ERROR_RATE 0.05
/* Of the launches' ratios, this share is left out at each end before they are averaged (stats_ratio). */
#define COMPARISON_TRIM 0.2
/* The standard error of the logarithm of a time whose interval is the range of so many round medians. NAN: of one. */
double comparison_error(double low, double high, int rounds);
/* The probability of a ratio of two times that lies as far from 1, if the true one is 1. `error`: the standard error of
 * its logarithm. `launches`: of both sides together; only launches count as independent. NAN: there are too few. */
double comparison_p(double ratio, double error, int launches);

#endif
