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

/* The continued fraction of the incomplete beta function I_x(a, b), by Lentz's method: DLMF 8.17.22. It converges fast
 * where x < (a + 1) / (a + b + 2). */
static double beta_fraction(double a, double b, double x)
{
    enum { MOST_TERMS = 10000 };
    double c = 1, d = 1 / (1 - (a + b) * x / (a + 1)), fraction = d;
    for (int m = 1; m <= MOST_TERMS; m++) {
        const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 / (1 + even * d);
        c = 1 + even / c;
        fraction *= d * c;
        d = 1 / (1 + odd * d);
        c = 1 + odd / c;
        fraction *= d * c;
        if (fabs(d * c - 1) < 1e-15)
            break;
    }
    return fraction;
}

/* The regularised incomplete beta function I_x(a, b), which is 1 - I_1-x(b, a). */
static double beta(double a, double b, double x)
{
    if (x <= 0 || x >= 1)
        return x <= 0 ? 0 : 1;
    const double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
    return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a : 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double stats_student_p(double t, double freedom)
{
    if (isnan(t) || !(freedom > 0))
        return NAN;
    return isinf(freedom) ? erfc(fabs(t) / sqrt(2)) : beta(0.5 * freedom, 0.5, freedom / (freedom + t * t));
}

double stats_student_t(double probability, double freedom)
{
    double low = 0, high = 1;
    if (!(probability > 0 && probability < 1 && freedom > 0))
        return NAN;
    while (stats_student_p(high, freedom) > probability)
        high *= 2;
    for (double middle; (middle = 0.5 * (low + high)) > low && middle < high;)
        *(stats_student_p(middle, freedom) > probability ? &low : &high) = middle;
    return high;
}

struct stats_ratio stats_ratio(const double *ratios, size_t count, double trim)
{
    struct stats_ratio result = {NAN, NAN, NAN, NAN};
    double *log_of = sorted(ratios, count);
    if (!log_of)
        return result;
    for (size_t i = 0; i < count; i++)
        log_of[i] = log(log_of[i]);
    const size_t cut = (size_t)(trim * (double)count), kept = count - 2 * cut;
    double mean = 0, all_mean = 0, squares = 0;
    for (size_t i = cut; i < count - cut; i++)
        mean += log_of[i] / (double)kept;
    /* For the variance, the ratios that are left out become the outermost ones that are kept. */
    for (size_t i = 0; i < count; i++) {
        log_of[i] = log_of[i < cut ? cut : i >= count - cut ? count - cut - 1 : i];
        all_mean += log_of[i] / (double)count;
    }
    for (size_t i = 0; i < count; i++)
        squares += (log_of[i] - all_mean) * (log_of[i] - all_mean);
    free(log_of);
    result.ratio = exp(mean);
    if (kept < 2)
        return result;
    const double freedom = (double)(kept - 1), error = sqrt(squares / ((double)kept * freedom));
    const double half = stats_student_t(0.05, freedom) * error;
    result.low = exp(mean - half);
    result.high = exp(mean + half);
    result.p = error > 0 ? stats_student_p(mean / error, freedom) : mean == 0;
    return result;
}

double stats_called(const double *p, size_t count, double rate)
{
    double *ordered = sorted(p, count), most = NAN;
    for (size_t i = count; ordered && i > 0 && isnan(most); i--)
        if (ordered[i - 1] <= rate * (double)i / (double)count)
            most = ordered[i - 1];
    free(ordered);
    return most;
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
