/* Medians and intervals.
 * SPDX-License-Identifier: MIT */
#include "stats.h"

#include "memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* A sorted copy, which the caller frees. NULL if there are no values, or a value is NAN, which has no order. */
static double *sorted(const double *values, size_t count)
{
    if (count == 0)
        return NULL;
    for (size_t i = 0; i < count; i++)
        if (isnan(values[i]))
            return NULL;
    double *copy = memory_grow(NULL, count, sizeof *copy);
    memcpy(copy, values, count * sizeof *copy);
    qsort(copy, count, sizeof *copy, compare);
    return copy;
}

static double middle(const double *ordered, size_t count)
{
    return count % 2 ? ordered[count / 2] : 0.5 * (ordered[count / 2 - 1] + ordered[count / 2]);
}

double stats_median(const double *values, size_t count)
{
    double *ordered = sorted(values, count);
    if (!ordered)
        return NAN;
    const double median = middle(ordered, count);
    free(ordered);
    return median;
}

/* The rank r of the ends of a confidence interval of the median: the r-th smallest and the r-th largest of `count`
 * values. r is the largest one that covers the median with at least 95 %: P(Binomial(count, 1/2) < r) <= 2.5 %. */
static size_t interval_rank(size_t count)
{
    /* 2^-count may leave the range of a double here; the normal law already gives the same rank. */
    if (count > 1000)
        return (size_t)floor(0.5 * ((double)count - 1.959964 * sqrt((double)count)));
    double probability = ldexp(1, -(int)count), below = 0;
    size_t rank = 0;
    while (below + probability <= 0.025) {
        below += probability;
        probability *= (double)(count - rank) / (double)(rank + 1);
        rank++;
    }
    return rank;
}

double stats_median_spread(const double *values, size_t count)
{
    if (count < 6)
        return count == 0 ? NAN : INFINITY;
    double *ordered = sorted(values, count);
    if (!ordered)
        return NAN;
    const size_t rank = interval_rank(count);
    const double half = 0.5 * (ordered[count - rank] - ordered[rank - 1]), median = middle(ordered, count);
    free(ordered);
    return half == 0 ? 0 : half / fabs(median);
}

double stats_min(const double *values, size_t count)
{
    double least = count ? values[0] : NAN;
    for (size_t i = 1; i < count; i++)
        least = isnan(values[i]) || values[i] < least ? values[i] : least;
    return least;
}

double stats_max(const double *values, size_t count)
{
    double most = count ? values[0] : NAN;
    for (size_t i = 1; i < count; i++)
        most = isnan(values[i]) || values[i] > most ? values[i] : most;
    return most;
}
