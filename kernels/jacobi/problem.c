/* Jacobi's iteration: x from A x = b, every sweep from the x of the sweep before.
 * SPDX-License-Identifier: MIT */
#include "common/solver_problem.h"
#include "common/solver_verify.h"

const struct problem problem_jacobi = {
    .name = "jacobi",
    .summary = "Jacobi's iteration for a system of linear equations, weighted with omega",
    .formula = "x^{k+1} = x^k + \\omega D^{-1} (b - A x^k)",
    .baseline = "blas-*",
    .precisions = FLOATS,
    .axes = SOLVE_AXES,
    .operand_count = 4,
    .operand = SOLVE_OPERANDS,
    .element_bytes = SOLVE_ELEMENT_BYTES,
    .flops = solve_flops,
    .bytes = solve_bytes,
    .sweeps = solve_jacobi_sweeps,
    .generate = solve_generate,
    .reference = solve_jacobi_reference,
    .reference_free = solve_reference_free,
    .verify = solve_judge,
};
