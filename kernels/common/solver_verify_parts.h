/* What the two files share that verify an iterative solution: verify_solve.c and verify_solve_log.c.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COMMON_SOLVER_VERIFY_PARTS_H
#define TILELAB_COMMON_SOLVER_VERIFY_PARTS_H

#include "solver_verify.h"

#include <math.h>

static const double ALLOWED = 4; /* see verify_solve.c */

/* The reference's way by one rule. */
struct way {
    struct way *next;
    double omega;
    int64_t sweeps;
    double radius;
    bool went;
    struct solver_log log;
    double *x;      /* after as many sweeps as the rule asks for */
    double largest; /* of all iterates */
    int64_t moving; /* sweeps until x stays where it is */
};

struct reference {
    struct linear_system of;
    char fault[80];        /* why no solver can solve it; empty: nothing */
    double norm_b, norm_a; /* of b, and of the sums of |A|'s rows */
    struct way **ways;
};

struct judged {
    const struct reference *reference;
    const struct solver_rule *rule;
    const void *x;
    const struct solver_log *log;
    const struct way *way; /* NULL: chaotic */
    double u;
    double norm, scale; /* of b - A x and |A||x| + |b| */
    int64_t bad;        /* first element of x that is not finite, or -1 */
    struct verdict *verdict;
};

static inline double root_n(const struct judged *judged)
{
    return sqrt((double)judged->reference->of.n);
}

/* Of the norm of the residual, at convergence. */
static inline double norm_allowed(const struct judged *judged)
{
    const struct solver_rule *rule = judged->rule;
    return rule->tolerance * (rule->relative ? judged->reference->norm_b : 1) +
           ALLOWED * root_n(judged) * judged->u * judged->scale;
}

/* Does the solver's log say what it should? Each of these is false, with the reason in the verdict, where it does not.
 * The first is for before there is anything else; the last two, where there is a way to compare with. */

/* Was it written, with an end and with counts that the rule leaves possible? */
bool solver_verify_log_is_sane(const struct judged *judged);
bool solver_verify_log_is_finite(const struct judged *judged);
/* The residuals of the sweeps that the reference has done, too. */
bool solver_verify_log_follows(const struct judged *judged);
/* The end, as far as the reference knows it. */
bool solver_verify_log_end(const struct judged *judged);

#endif
