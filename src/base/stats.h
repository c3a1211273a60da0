/* Medians and intervals. NAN for an empty set.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BASE_STATS_H
#define TILELAB_BASE_STATS_H

#include <stddef.h>

/* Median of values[count]; sorts a copy. */
double stats_median(const double *values, size_t count);
/* Relative spread (half-width / median) of the nonparametric ~95 % confidence interval of the median, by binomial
 * order statistics; INFINITY for fewer than 6 values. */
double stats_median_spread(const double *values, size_t count);
double stats_min(const double *values, size_t count);
double stats_max(const double *values, size_t count);

#endif
