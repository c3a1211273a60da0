/* Checks of a solver's log against its rule and against the reference.
 * SPDX-License-Identifier: MIT */
#include "solver_verify_parts.h"

#include <stdlib.h>

/* A run until convergence ends at the first residual within its tolerance. The comparison is that of solver_note(). */
static bool stops_in_time(const struct judged *judged)
{
    const struct solver_log *log = judged->log;
    const struct solver_rule *rule = judged->rule;
    const double tolerance = rule->tolerance * (rule->relative ? log->history[0] : 1);
    for (int64_t i = 0; i < log->recorded && i * log->every < log->sweeps; i++)
        if (log->history[i] <= tolerance)
            return verdict_refuse(judged->verdict, "the residual of sweep %lld was small enough, but the run took %lld",
                                  (long long)(i * log->every), (long long)log->sweeps);
    return true;
}

bool solver_verify_log_is_sane(const struct judged *judged)
{
    const struct solver_log *log = judged->log;
    const struct solver_rule *rule = judged->rule;
    struct verdict *verdict = judged->verdict;
    if (log->end == -1 && log->sweeps == -1)
        return verdict_refuse(verdict, "the log was not written");
    if (log->end <= SOLVER_RUNNING || log->end >= SOLVER_ENDS || (log->end == SOLVER_COUNTED) != (rule->sweeps > 0))
        return verdict_refuse(verdict, "the log says that the run ended as %lld", (long long)log->end);
    if (log->sweeps < 0 || (rule->sweeps > 0 ? log->sweeps != rule->sweeps : log->sweeps > rule->limit))
        return verdict_refuse(verdict, "the log counts %lld sweeps, not %s%lld", (long long)log->sweeps,
                              rule->sweeps > 0 ? "" : "0 to ",
                              (long long)(rule->sweeps > 0 ? rule->sweeps : rule->limit));
    const int64_t last = rule->sweeps > 0 ? log->sweeps - 1 : log->sweeps;
    if (log->every < 1 || log->recorded > SOLVER_HISTORY || log->recorded != last / log->every + 1)
        return verdict_refuse(verdict, "the log keeps %lld residuals, one in %lld, of %lld sweeps",
                              (long long)log->recorded, (long long)log->every, (long long)log->sweeps);
    return rule->sweeps > 0 || stops_in_time(judged);
}

bool solver_verify_log_is_finite(const struct judged *judged)
{
    const struct solver_log *log = judged->log;
    for (int64_t i = 0; i < log->recorded; i++)
        if (!isfinite(log->history[i]))
            return verdict_refuse(judged->verdict, "the log's residual of sweep %lld is %g",
                                  (long long)(i * log->every), log->history[i]);
    return true;
}

/* How far the norm of a residual may lie from the reference's, since the run's iterate is rounded too. */
static double path_allowed(const struct judged *judged)
{
    const struct path *path = judged->path;
    return ALLOWED * (root_n(judged) + (double)path->moving) * judged->u *
           (judged->reference->norm_a * path->largest + judged->reference->norm_b);
}

bool solver_verify_log_follows(const struct judged *judged)
{
    const struct solver_log *log = judged->log, *reference = &judged->path->log;
    for (int64_t i = 0; i < log->recorded; i++) {
        const int64_t sweep = i * log->every, at = sweep / reference->every;
        if (sweep % reference->every != 0 || at >= reference->recorded)
            continue;
        const double expected = reference->history[at], found = log->history[i];
        if (!(fabs(found - expected) <= path_allowed(judged) + ALLOWED * root_n(judged) * judged->u * expected))
            return verdict_refuse(judged->verdict, "the residual of sweep %lld was %.6g, not %.6g", (long long)sweep,
                                  found, expected);
    }
    return true;
}

/* A run may take one sweep more than the reference where rounding has kept it from the tolerance. A long history does
 * not keep the residual of the sweep in question, so that the reference's decides. */
static bool may_go_on(const struct judged *judged)
{
    const struct solver_rule *rule = judged->rule;
    const struct solver_log *reference = &judged->path->log;
    const double tolerance = rule->tolerance * (rule->relative ? judged->reference->norm_b : 1);
    return reference->residual + 2 * path_allowed(judged) >= tolerance ||
           verdict_refuse(judged->verdict, "the residual of sweep %lld is small enough, but the run took %lld",
                          (long long)reference->sweeps, (long long)judged->log->sweeps);
}

bool solver_verify_log_end(const struct judged *judged)
{
    const struct solver_log *log = judged->log, *reference = &judged->path->log;
    const bool small = log->smallest <= norm_allowed(judged);
    /* Rounding may keep a run from the tolerance, although the reference reaches it. */
    const bool short_of_it =
        (log->end == SOLVER_STALLED || log->end == SOLVER_LIMIT) && reference->end == SOLVER_CONVERGED && small;
    if (short_of_it)
        return true;
    if (reference->end == SOLVER_LIMIT)
        return log->sweeps >= SOLVER_FOLLOWED - 1
                   ? true
                   : verdict_refuse(judged->verdict, "the run took %lld sweeps, but the reference needs more than %d",
                                    (long long)log->sweeps, SOLVER_FOLLOWED);
    if (log->end == reference->end && llabs(log->sweeps - reference->sweeps) <= 1)
        return log->sweeps <= reference->sweeps || log->end != SOLVER_CONVERGED || may_go_on(judged);
    return verdict_refuse(judged->verdict, "the run %s after %lld sweeps, but the reference %s after %lld",
                          log->end == SOLVER_CONVERGED  ? "converged"
                          : log->end == SOLVER_DIVERGED ? "diverged"
                                                        : "gave up",
                          (long long)log->sweeps, reference->end == SOLVER_CONVERGED ? "converges" : "diverges",
                          (long long)reference->sweeps);
}
