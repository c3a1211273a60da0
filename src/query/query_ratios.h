/* SQL functions of comparisons of times.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_QUERY_QUERY_RATIOS_H
#define TILELAB_QUERY_QUERY_RATIOS_H

#include <sqlite3.h>
#include <stddef.h>

/* The numbers that an aggregate function has met, which it frees. Its step keeps each argument that is not NULL. */
struct query_numbers {
    double *value;
    size_t count, room;
};
void query_numbers_step(sqlite3_context *context, int count, sqlite3_value **argument);

/* Adds these functions to a database. Returns non-zero on failure.
 *   log_error(low, high, rounds)      the standard error of the logarithm of a time, from its interval
 *   ratio_p(ratio, error, launches)   the probability of such a ratio if the true one is 1 (comparison.h)
 *   error_rate()                      the share of false ones among the differences that a comparison calls
 *   called_p(p)                       the greatest p of a difference that is called among all p; NULL: there is none
 *   min_launches()                    the launches that a verdict needs
 *   launch_ratio(x)                   of the ratios of launches: {"ratio":, "low":, "high":, "p":}; a number that
 *                                     so few ratios do not give is null
 *   mean_ratio(x)                     the same of the geometric mean of ratios */
int query_ratios_add(sqlite3 *db);

#endif
