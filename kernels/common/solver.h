/* What the kernels of the iterative solvers share: when a run ends, and what it writes into its log.
 * SPDX-License-Identifier: MIT
 *
 * The operands of jacobi and seidel are A (n x n, row-major), b, x and the log. A run starts from x_0 = 0, whatever the
 * operand x holds. Sweep k makes x_{k+1} from x_k, and on its way finds the residual r_k = b - A x_k. The loop is
 *
 *   solver_begin(log);
 *   for (k = 0; (end = solver_note(&rule, log, k, norm of r_k, found by sweep k)) == SOLVER_RUNNING; k++) ...
 *
 * The answer is x_{k+1} if the end is SOLVER_COUNTED. Otherwise the answer is x_k, whose residual ended the loop. */
#ifndef TILELAB_COMMON_SOLVER_H
#define TILELAB_COMMON_SOLVER_H

#include "solver_log.h"
#include "variant.h"

#ifdef __CUDACC__
#define SOLVER_FUNCTION static inline __host__ __device__
#else
#define SOLVER_FUNCTION static inline
#endif

/* Operands, in this order. */
enum { SOLVER_A, SOLVER_B, SOLVER_X, SOLVER_LOG };

/* How a run ends. SOLVER_COUNTED: after the number of sweeps that was asked for. The other ends belong to a run that
 * sweeps until its residual is small enough. */
enum solver_end {
    SOLVER_RUNNING,
    SOLVER_CONVERGED,
    SOLVER_COUNTED,
    SOLVER_LIMIT,
    SOLVER_STALLED,
    SOLVER_DIVERGED,
    SOLVER_ENDS
};

enum {
    SOLVER_STALL_SWEEPS = 1000, /* sweeps without a new smallest residual, after which a run has stalled */
    OMEGA_ONE = 1000000000,     /* the axis omega counts in 1e-9 */
};

struct solver_rule {
    double omega;
    double tolerance; /* largest norm of the residual at convergence */
    bool relative;    /* the tolerance counts in units of the norm of r_0 = b */
    int64_t sweeps;   /* number of sweeps, whatever the residual; 0: sweep until the residual is small enough */
    int64_t limit;    /* largest number of sweeps until convergence */
};

/* The rule that a cell sets. In f64 a run converges at |r| <= 1e-5, as in the source. f32 cannot reach this norm for
 * large n, and converges at |r| <= 1e-5 |b|. The limit is more than twice what Jacobi needs here. */
SOLVER_FUNCTION struct solver_rule solver_rule_of(const struct cell *cell)
{
    struct solver_rule rule;
    rule.omega = cell->omega ? (double)cell->omega / OMEGA_ONE : 1;
    rule.tolerance = 1e-5;
    rule.relative = cell->precision == F32;
    rule.sweeps = cell->sweeps;
    rule.limit = 1000 * (cell->n + 1);
    return rule;
}

SOLVER_FUNCTION void solver_begin(struct solver_log *log)
{
    log->end = SOLVER_RUNNING;
    log->sweeps = log->smallest_sweep = log->recorded = 0;
    log->every = 1;
    log->residual = log->smallest = 0;
    for (int i = 0; i < SOLVER_HISTORY; i++)
        log->history[i] = 0;
}

/* Adds a norm to the history. The history keeps every norm at first. Whenever it is full, it drops every second norm
 * and from then on keeps half as many. */
SOLVER_FUNCTION void solver_record(struct solver_log *log, int64_t sweep, double residual)
{
    if (sweep % log->every != 0)
        return;
    if (log->recorded == SOLVER_HISTORY) {
        for (int i = 0; i < SOLVER_HISTORY / 2; i++)
            log->history[i] = log->history[2 * i];
        for (int i = SOLVER_HISTORY / 2; i < SOLVER_HISTORY; i++)
            log->history[i] = 0;
        log->recorded = SOLVER_HISTORY / 2;
        log->every *= 2;
        if (sweep % log->every != 0)
            return;
    }
    log->history[log->recorded++] = residual;
}

/* Notes the norm of r_sweep, for sweep = 0, 1, 2 ... in turn. Returns the end of the run, or SOLVER_RUNNING. */
SOLVER_FUNCTION int64_t solver_note(const struct solver_rule *rule, struct solver_log *log, int64_t sweep,
                                    double residual)
{
    const double DIVERGED = 1e10; /* times the norm of r_0 */
    solver_record(log, sweep, residual);
    const double first = log->history[0];
    log->residual = residual;
    log->sweeps = sweep;
    if (sweep == 0 || residual < log->smallest) {
        log->smallest = residual;
        log->smallest_sweep = sweep;
    }
    if (rule->sweeps > 0) {
        log->sweeps = sweep + 1;
        log->end = sweep + 1 == rule->sweeps ? SOLVER_COUNTED : SOLVER_RUNNING;
    } else if (residual <= rule->tolerance * (rule->relative ? first : 1))
        log->end = SOLVER_CONVERGED;
    else if (!(residual <= DIVERGED * first))
        log->end = SOLVER_DIVERGED;
    else if (sweep - log->smallest_sweep >= SOLVER_STALL_SWEEPS)
        log->end = SOLVER_STALLED;
    else if (sweep == rule->limit)
        log->end = SOLVER_LIMIT;
    return log->end;
}

#endif
