/* What the problems of iterative solvers share.
 * SPDX-License-Identifier: MIT */
#include "solve_problem.h"

#include "inputs.h"
#include "registry.h"
#include "verify_solve.h"

void solve_shape_matrix(const struct cell *cell, int64_t *rows, int64_t *cols)
{
    *rows = *cols = cell->n;
}

void solve_shape_vector(const struct cell *cell, int64_t *rows, int64_t *cols)
{
    *rows = cell->n;
    *cols = 1;
}

void solve_shape_log(const struct cell *cell, int64_t *rows, int64_t *cols)
{
    (void)cell;
    *rows = sizeof(struct solve_log) / 8;
    *cols = 1;
}

double solve_flops(const struct cell *cell)
{
    const double n = (double)cell->n;
    return 2 * n * n + (solve_rule_of(cell).omega == 1 ? 4 : 5) * n;
}

double solve_bytes(const struct cell *cell)
{
    const double n = (double)cell->n;
    return (n * n + 3 * n) * (double)precision_size(cell->precision);
}

/* Quotients are no integers. */
bool solve_has_exact(const struct cell *cell)
{
    (void)cell;
    return false;
}

void solve_generate(const struct cell *cell, enum inputs inputs, uint64_t seed,
                    void *const operand[])
{
    const int64_t n = cell->n, precision = cell->precision;
    (void)inputs;
    inputs_fill_matrix(operand[SOLVE_A], n, precision, FAMILY_DOMINANT, false, seed, SOLVE_A);
    inputs_fill_positive(operand[SOLVE_B], n, precision, 50, seed, SOLVE_B);
}

static void *reference(const struct cell *cell, enum method method, void *const operand[])
{
    const struct linear_system of = {.precision = cell->precision,
                                     .n = cell->n,
                                     .method = method,
                                     .a = operand[SOLVE_A],
                                     .b = operand[SOLVE_B]};
    return solve_reference(&of);
}

void *solve_jacobi_reference(const struct cell *cell, enum inputs inputs, uint64_t seed,
                             void *const operand[])
{
    (void)inputs, (void)seed;
    return reference(cell, METHOD_JACOBI, operand);
}

void *solve_seidel_reference(const struct cell *cell, enum inputs inputs, uint64_t seed,
                             void *const operand[])
{
    (void)inputs, (void)seed;
    return reference(cell, METHOD_SEIDEL, operand);
}

void solve_judge(const struct cell *cell, enum inputs inputs, const void *reference,
                 void *const operand[], struct verdict *verdict)
{
    const struct solve_rule rule = solve_rule_of(cell);
    (void)inputs;
    solve_verify(reference, &rule, cell->entry->meta->chaotic, operand[SOLVE_X], operand[SOLVE_LOG],
                 verdict);
}
