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
double stats_min(const double *values, size_t count);
double stats_max(const double *values, size_t count);

#endif
