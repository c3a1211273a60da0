/* The Gauss-Seidel iteration: x from A x = b, every row from what the rows before it have just found.
 * SPDX-License-Identifier: MIT */
#include "common/solver_problem.h"
#include "common/solver_verify.h"

const struct problem problem_seidel = {
    .name = "seidel",
    .summary = "the Gauss-Seidel iteration for a system of linear equations, over-relaxed with omega",
    .formula = "x^{k+1} = x^k + \\omega D^{-1} (b - L x^{k+1} - (D + U) x^k)",
    .baseline = "blas-*",
    .precisions = FLOATS,
    .axes = SOLVE_AXES,
    .operand_count = 4,
    .operand = SOLVE_OPERANDS,
    .element_bytes = SOLVE_ELEMENT_BYTES,
    .flops = solve_flops,
    .bytes = solve_bytes,
    .sweeps = solve_seidel_sweeps,
    .generate = solve_generate,
    .reference = solve_seidel_reference,
    .reference_free = solve_reference_free,
    .verify = solve_judge,
};
