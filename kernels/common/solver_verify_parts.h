/* What solver_verify.c and solver_verify_log.c share: the reference's iterates by a rule, and a run under judgement.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COMMON_SOLVER_VERIFY_PARTS_H
#define TILELAB_COMMON_SOLVER_VERIFY_PARTS_H

#include "solver_verify.h"

#include <math.h>

static const double ALLOWED = 4; /* the factor of all bounds; solver_verify.c derives it */

/* The reference's sweeps by one rule. */
struct path {
    struct path *next;
    double omega;
    int64_t sweeps;
    double radius;
    bool followed;
    struct solver_log log;
    double *x;      /* the answer: the iterate after as many sweeps as the rule asks for, or the converged one */
    double largest; /* largest |x_i| of all iterates */
    int64_t moving; /* sweeps until x no longer changes */
};

struct reference {
    struct linear_system of;
    char fault[80];        /* why no solver can solve the system; empty: any solver can */
    double norm_b, norm_a; /* norm of b; norm of the vector of the row sums of |A| */
    struct path **paths;
};

struct judged {
    const struct reference *reference;
    const struct solver_rule *rule;
    const void *x;
    const struct solver_log *log;
    const struct path *path; /* NULL: the variant is chaotic, and has no path to follow */
    double u;                /* unit roundoff */
    double norm, scale;      /* norms of b - A x and of |A||x| + |b| */
    int64_t bad;             /* first element of x that is not finite, or -1 */
    struct verdict *verdict;
};

static inline double root_n(const struct judged *judged)
{
    return sqrt((double)judged->reference->of.n);
}

/* The largest norm of the residual that a converged run may leave. */
static inline double norm_allowed(const struct judged *judged)
{
    const struct solver_rule *rule = judged->rule;
    return rule->tolerance * (rule->relative ? judged->reference->norm_b : 1) +
           ALLOWED * root_n(judged) * judged->u * judged->scale;
}

/* Checks of the log. Each returns false, with the reason in the verdict, if the log is wrong. The first check comes
 * before all others; the last two need a path of the reference to compare with. */

/* Checks that the variant wrote the log, with an end and with counts that the rule allows, and that the run stopped at
 * its first residual within the tolerance. */
bool solver_verify_log_is_sane(const struct judged *judged);
/* Checks that all residuals of the history are finite. */
bool solver_verify_log_is_finite(const struct judged *judged);
/* Compares the residuals of all sweeps that the reference has done too. */
bool solver_verify_log_follows(const struct judged *judged);
/* Compares the end of the run with that of the reference, as far as the reference has got. */
bool solver_verify_log_end(const struct judged *judged);

#endif
