/* Medians and intervals. The functions return NAN for no values, and where a value is NAN.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BASE_STATS_H
#define TILELAB_BASE_STATS_H

#include <stddef.h>

/* The median of values[count], whose order stays. */
double stats_median(const double *values, size_t count);
/* Half the width of the median's 95 % confidence interval, as a share of the median. The interval is nonparametric: its
 * ends are order statistics. INFINITY for 1 to 5 values, which give no such interval. */
double stats_median_spread(const double *values, size_t count);
/* The probability that Student's t with so many degrees of freedom (INFINITY: the normal law) lies as far from 0 as
 * `t`, on either side; and the t that has such a probability. */
double stats_student_p(double t, double freedom);
double stats_student_t(double probability, double freedom);

/* The typical one of some ratios, which is the exponential of the trimmed mean of their logarithms. */
struct stats_ratio {
    double ratio, low, high; /* with its 95 % interval; the ends are NAN where too few ratios are left */
    double p;                /* the probability of a ratio as far from 1, if the true one is 1; NAN where `low` is */
};
/* `trim`: the share of ratios that is left out at each end; 0: the geometric mean of all. The interval is that of Tukey
 * and McLaughlin, with Student's t. */
struct stats_ratio stats_ratio(const double *ratios, size_t count, double trim);
/* The greatest of the p-values whose differences are called, so that a share `rate` of all that are called is expected
 * to be false: the procedure of Benjamini and Hochberg. NAN: none is called. */
double stats_called(const double *p, size_t count, double rate);
double stats_min(const double *values, size_t count);
double stats_max(const double *values, size_t count);

#endif
