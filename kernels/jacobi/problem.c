/* Jacobi's method: it finds x of A x = b by sweeps, and computes every row from the x of the last sweep.
 * SPDX-License-Identifier: MIT */
#include "common/solver_problem.h"
#include "common/solver_verify.h"

const struct problem problem_jacobi = {
    .name = "jacobi",
    .summary = "Jacobi iteration, weighted with omega, for a linear system",
    .formula = "x^{k+1} = x^k + \\omega D^{-1} (b - A x^k)",
    .computes = "Jacobi's method for $Ax=b$",
    .computes_ru = "метод Якоби для $Ax=b$",
    .baseline = "blas-*",
    .precisions = FLOATS,
    .axes = SOLVER_AXES,
    .operand_count = 4,
    .operand = SOLVER_OPERANDS,
    .element_bytes = SOLVER_ELEMENT_BYTES,
    .flops = solver_problem_flops,
    .bytes = solver_problem_bytes,
    .sweeps = solver_problem_jacobi_sweeps,
    .has_special = solver_problem_has_special,
    .generate = solver_problem_generate,
    .reference = solver_problem_jacobi_reference,
    .reference_free = solver_verify_reference_free,
    .verify = solver_problem_verify,
    .team = &solver_problem_jacobi_team,
};
