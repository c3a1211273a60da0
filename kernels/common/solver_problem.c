/* What the problems jacobi and seidel share.
 * SPDX-License-Identifier: MIT */
#include "solver_problem.h"

#include "cell.h"
#include "solver_verify.h"
#include "verify/inputs.h"

#include <math.h>

void solver_problem_shape_matrix(const struct cell *cell, int64_t *rows, int64_t *cols)
{
    *rows = *cols = cell->n;
}

void solver_problem_shape_vector(const struct cell *cell, int64_t *rows, int64_t *cols)
{
    *rows = cell->n;
    *cols = 1;
}

void solver_problem_shape_log(const struct cell *cell, int64_t *rows, int64_t *cols)
{
    (void)cell;
    *rows = sizeof(struct solver_log) / 8;
    *cols = 1;
}

double solver_problem_flops(const struct cell *cell)
{
    const double n = (double)cell->n;
    return 2 * n * n + (solver_rule_of(cell).omega == 1 ? 4 : 5) * n;
}

double solver_problem_bytes(const struct cell *cell)
{
    const double n = (double)cell->n;
    return (n * n + 3 * n) * (double)cell_precision_size(cell->precision);
}

/* The sweeps after which an error that shrinks by `radius` in each sweep brings the residual from that of x = 0 to the
 * tolerance. With a radius above 1, the sweeps after which the run counts as diverged. */
static double sweeps_by_radius(const struct cell *cell, double radius)
{
    const struct solver_rule rule = solver_rule_of(cell);
    if (rule.sweeps > 0)
        return (double)rule.sweeps;
    const double norm_b = 50 * sqrt((double)cell->n / 3),
                 shrink = rule.relative ? rule.tolerance : rule.tolerance / norm_b, change = radius < 1 ? shrink : 1e10,
                 sweeps = ceil(log(change) / log(radius));
    return sweeps >= 1 && sweeps <= (double)rule.limit ? sweeps : radius == 0 ? 1 : (double)rule.limit;
}

/* One eigenvalue of D^-1 (A - D) is 1 - 1 / a_ii. The others fill a disc around 0, whose radius follows from the
 * variance of the entries. */
double solver_problem_jacobi_sweeps(const struct cell *cell)
{
    const double n = (double)cell->n, omega = solver_rule_of(cell).omega;
    const double mean = fabs(1 - omega * (2 - 1 / (25 * (n - 1) + 1)));
    return sweeps_by_radius(cell, fmax(mean, fabs(1 - omega) + omega / sqrt(3 * n)));
}

/* For omega = 1 and large n the radius tends to 1 / |W_1(e)| = 0.2161, where W_1 is a branch of Lambert's function. No
 * omega gives a radius below |1 - omega|. */
double solver_problem_seidel_sweeps(const struct cell *cell)
{
    return sweeps_by_radius(cell, fmax(0.2161, fabs(1 - solver_rule_of(cell).omega)));
}

void solver_problem_generate(const struct cell *cell, enum inputs inputs, uint64_t seed, void *const operand[])
{
    const int64_t n = cell->n, precision = cell->precision;
    inputs_fill_matrix(operand[SOLVER_A], n, precision, FAMILY_DOMINANT, inputs, false, seed, SOLVER_A);
    inputs_fill_positive(operand[SOLVER_B], n, precision, 50, seed, SOLVER_B);
}

static void *reference(const struct cell *cell, enum solver_method method, void *const operand[])
{
    const struct linear_system of = {
        .precision = cell->precision, .n = cell->n, .method = method, .a = operand[SOLVER_A], .b = operand[SOLVER_B]};
    return solver_verify_reference(&of);
}

void *solver_problem_jacobi_reference(const struct cell *cell, enum inputs inputs, uint64_t seed, void *const operand[])
{
    (void)inputs, (void)seed;
    return reference(cell, SOLVER_JACOBI, operand);
}

void *solver_problem_seidel_reference(const struct cell *cell, enum inputs inputs, uint64_t seed, void *const operand[])
{
    (void)inputs, (void)seed;
    return reference(cell, SOLVER_SEIDEL, operand);
}

bool solver_problem_has_special(const struct cell *cell, enum inputs inputs)
{
    (void)cell;
    return inputs < INPUTS_GRADED;
}

/* The first sweep solves x = b without a rounding error. */
static void verify_identity(const struct cell *cell, void *const operand[], struct verdict *verdict)
{
    for (int64_t i = 0; i < cell->n && verdict->ok; i++) {
        const double x = operand_value(operand[SOLVER_X], cell->precision, i),
                     b = operand_value(operand[SOLVER_B], cell->precision, i);
        if (x != b)
            (void)verdict_refuse(verdict, "x(%lld) is %.9g, not %.9g as b", (long long)i, x, b);
    }
}

void solver_problem_verify(const struct cell *cell, enum inputs inputs, const void *reference, void *const operand[],
                           struct verdict *verdict)
{
    const struct solver_rule rule = solver_rule_of(cell);
    solver_verify(reference, &rule, cell_meta(cell)->chaotic, operand[SOLVER_X], operand[SOLVER_LOG], verdict);
    if (inputs == INPUTS_ZEROS && rule.omega == 1 && verdict->ok && verdict->status == STATUS_OK)
        verify_identity(cell, operand, verdict);
}
