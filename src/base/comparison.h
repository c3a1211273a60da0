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

#endif
