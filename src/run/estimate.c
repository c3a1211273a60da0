/* How long a run will still take.
 * SPDX-License-Identifier: MIT */
#include "estimate.h"

#include <math.h>

/* Finished parts of less time than this say little. */
static const double TRUSTED_S = 2;
/* A new estimate that differs by less than this share of what is left, or by less than these seconds, is not told. */
static const double TOLD_SHARE = 0.15, TOLD_S = 3;

void estimate_begin(struct estimate *estimate, enum part part, double expected_s, double now_s)
{
    estimate->busy = true;
    estimate->part = part;
    estimate->begin_s = now_s;
    estimate->part_s = expected_s;
}

void estimate_end(struct estimate *estimate, bool counts, double now_s)
{
    estimate->busy = false;
    if (!counts)
        return;
    estimate->took_s[estimate->part] += now_s - estimate->begin_s;
    estimate->expected_s[estimate->part] += estimate->part_s;
}

/* How many times longer than predicted the parts of a kind take. */
static double factor(const struct estimate *estimate, int part)
{
    return (estimate->took_s[part] + TRUSTED_S) / (estimate->expected_s[part] + TRUSTED_S);
}

double estimate_correct_s(const struct estimate *estimate, const double predicted_s[PARTS])
{
    double sum_s = 0;
    for (int part = 0; part < PARTS; part++)
        sum_s += factor(estimate, part) * predicted_s[part];
    return sum_s;
}

double estimate_left_s(struct estimate *estimate, double now_s)
{
    double left_s = estimate_correct_s(estimate, estimate->left_s);
    if (estimate->busy)
        left_s -= fmin(now_s - estimate->begin_s, factor(estimate, estimate->part) * estimate->part_s);
    left_s = fmax(left_s, 0);
    if (estimate->end_s <= 0 || fabs(now_s + left_s - estimate->end_s) > fmax(TOLD_SHARE * left_s, TOLD_S))
        estimate->end_s = now_s + left_s;
    return fmax(estimate->end_s - now_s, 0);
}
