/* The rule by which two times are compared.
 * SPDX-License-Identifier: MIT */
#include "comparison.h"

#include "stats.h"

#include <math.h>

const char *const comparison_names[COMPARISONS] = {"single", "undecided", "same", "faster", "slower"};

enum comparison comparison_of(double speedup, double low, double high)
{
    const double above = 1 + COMPARISON_THRESHOLD, below = 1 / above;
    if (isnan(speedup) || isnan(low) || isnan(high))
        return COMPARISON_SINGLE;
    if (low > 1 && speedup > above)
        return COMPARISON_FASTER;
    if (high < 1 && speedup < below)
        return COMPARISON_SLOWER;
    return low >= below && high <= above ? COMPARISON_SAME : COMPARISON_UNDECIDED;
}

int comparison_rounds(double time_s)
{
    return time_s > COMPARISON_LONG_S ? COMPARISON_LAUNCHES : COMPARISON_ROUNDS;
}

double comparison_coverage(int rounds)
{
    return rounds < 2 ? 0 : 1 - ldexp(1, 1 - rounds);
}

double comparison_error(double low, double high, int rounds)
{
    return log(high / low) / (2 * stats_student_t(1 - comparison_coverage(rounds), INFINITY));
}

double comparison_p(double ratio, double error, int launches)
{
    return stats_student_p(log(ratio) / error, launches - 2);
}
