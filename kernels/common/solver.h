/* What the kernels of the iterative solvers share: when a solve ends, and what it tells of its way.
 * SPDX-License-Identifier: MIT
 *
 * Operands of jacobi and seidel: A (n x n, row-major), b, x, and the log. x starts as 0, whatever it held. Sweep k makes
 * x_{k+1} from x_k, and shows the residual r_k = b - A x_k on its way. A loop is
 *
 *   solve_begin(log);
 *   for (k = 0; (end = solve_note(&rule, log, k, norm of r_k, found by sweep k)) == SOLVE_RUNNING; k++) ...
 *
 * and its answer is x_{k+1} where the end is SOLVE_COUNTED, else x_k, whose residual decided. */
#ifndef TILELAB_COMMON_SOLVER_H
#define TILELAB_COMMON_SOLVER_H

#include "solver_log.h"
#include "variant.h"

#ifdef __CUDACC__
#define SOLVE_FUNCTION static inline __host__ __device__
#else
#define SOLVE_FUNCTION static inline
#endif

enum { SOLVE_A, SOLVE_B, SOLVE_X, SOLVE_LOG };

/* SOLVE_COUNTED: the number of sweeps that was asked for. The others are what became of a solve that was to run until
 * its residual is small enough. */
enum solve_end {
    SOLVE_RUNNING,
    SOLVE_CONVERGED,
    SOLVE_COUNTED,
    SOLVE_LIMIT,
    SOLVE_STALLED,
    SOLVE_DIVERGED,
    SOLVE_ENDS
};

enum {
    SOLVE_STALL_SWEEPS = 1000, /* without a new smallest residual */
    OMEGA_ONE = 1000000000,    /* the axis omega counts in 1e-9 */
};

struct solve_rule {
    double omega;
    double tolerance; /* of the norm of the residual */
    bool relative;    /* ... in units of the norm of r_0, which is b */
    int64_t sweeps;   /* to do, whatever the residual; 0: until it is small enough */
    int64_t limit;    /* most sweeps */
};

/* f64: |r| <= 1e-5, as the source has it; f32, which cannot reach that for large n: 1e-5 |b|. The limit is more than
 * twice what Jacobi needs on the sources' matrices. */
SOLVE_FUNCTION struct solve_rule solve_rule_of(const struct cell *cell)
{
    struct solve_rule rule;
    rule.omega = cell->omega ? (double)cell->omega / OMEGA_ONE : 1;
    rule.tolerance = 1e-5;
    rule.relative = cell->precision == F32;
    rule.sweeps = cell->sweeps;
    rule.limit = 1000 * (cell->n + 1);
    return rule;
}

SOLVE_FUNCTION void solve_begin(struct solve_log *log)
{
    log->end = SOLVE_RUNNING;
    log->sweeps = log->smallest_sweep = log->recorded = 0;
    log->every = 1;
    log->residual = log->smallest = 0;
    for (int i = 0; i < SOLVE_HISTORY; i++)
        log->history[i] = 0;
}

/* Keeps every 1st, 2nd, 4th ... norm, as many as there is room for. */
SOLVE_FUNCTION void solve_record(struct solve_log *log, int64_t sweep, double residual)
{
    if (sweep % log->every != 0)
        return;
    if (log->recorded == SOLVE_HISTORY) {
        for (int i = 0; i < SOLVE_HISTORY / 2; i++)
            log->history[i] = log->history[2 * i];
        for (int i = SOLVE_HISTORY / 2; i < SOLVE_HISTORY; i++)
            log->history[i] = 0;
        log->recorded = SOLVE_HISTORY / 2;
        log->every *= 2;
        if (sweep % log->every != 0)
            return;
    }
    log->history[log->recorded++] = residual;
}

/* Notes the norm of r_sweep, for sweep = 0, 1, 2 ..., and says whether the solve goes on. */
SOLVE_FUNCTION int64_t solve_note(const struct solve_rule *rule, struct solve_log *log, int64_t sweep, double residual)
{
    const double DIVERGED = 1e10; /* times the norm of r_0 */
    solve_record(log, sweep, residual);
    const double first = log->history[0];
    log->residual = residual;
    log->sweeps = sweep;
    if (sweep == 0 || residual < log->smallest) {
        log->smallest = residual;
        log->smallest_sweep = sweep;
    }
    if (rule->sweeps > 0) {
        log->sweeps = sweep + 1;
        log->end = sweep + 1 == rule->sweeps ? SOLVE_COUNTED : SOLVE_RUNNING;
    } else if (residual <= rule->tolerance * (rule->relative ? first : 1))
        log->end = SOLVE_CONVERGED;
    else if (!(residual <= DIVERGED * first))
        log->end = SOLVE_DIVERGED;
    else if (sweep - log->smallest_sweep >= SOLVE_STALL_SWEEPS)
        log->end = SOLVE_STALLED;
    else if (sweep == rule->limit)
        log->end = SOLVE_LIMIT;
    return log->end;
}

#endif
