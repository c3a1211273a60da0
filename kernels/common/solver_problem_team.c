/* Inputs and verification of Jacobi's method on a team: the reference multiplies by A where the parts of A lie.
 * SPDX-License-Identifier: MIT */
#include "solver_problem.h"

#include "cell.h"
#include "solver_verify.h"
#include "team_variant.h"
#include "verify/inputs.h"

#include <stdlib.h>

static struct team_inputs inputs_of(const struct cell *cell, int operand, enum inputs inputs, uint64_t seed)
{
    (void)cell, (void)inputs;
    return (struct team_inputs){.kind = operand == SOLVER_A ? TEAM_DOMINANT : TEAM_POSITIVE,
                                .key = inputs_key(seed, (uint32_t)operand)};
}

/* Adds up what the members have; false, with NaN for every element, after a failure. */
static bool add_up(const struct team_check *check, bool well, double *vector, int64_t n)
{
    well = well && check->messages->sum(vector, n) == 0;
    for (int64_t i = 0; i < n && !well; i++)
        vector[i] = NAN;
    return well;
}

static void multiply(const struct distributed_matrix *matrix, bool magnitudes, const double *x, double *product)
{
    const struct team_check *check = matrix->context;
    const int64_t n = check->cell->n;
    for (int64_t i = 0; i < n; i++)
        product[i] = 0;
    add_up(check, check->memory->multiply(&check->team->matrix[SOLVER_A], false, magnitudes, TEAM_ALL, x, product) == 0,
           product, n);
}

/* Collects a vector and gives it the cell's precision, in which all its elements are exact. */
static bool collect(const struct team_check *check, int operand, double *scratch, void *to)
{
    const int64_t n = check->cell->n;
    for (int64_t i = 0; i < n; i++)
        scratch[i] = 0;
    const bool well = add_up(check, check->memory->get(&check->team->matrix[operand], scratch) == 0, scratch, n);
    for (int64_t i = 0; i < n; i++)
        if (check->cell->precision == F32)
            ((float *)to)[i] = (float)scratch[i];
        else
            ((double *)to)[i] = scratch[i];
    return well;
}

/* The diagonal of a dominant matrix is 1 + s, where s is the sum of the other magnitudes in its row, and the row's sum
 * is 1 + 2 s. Rounding to f32 gives the very element, and the error in f64 is far below the bounds. */
static void find_diagonal(const struct distributed_matrix *matrix, const struct cell *cell, double *ones,
                          double *diagonal)
{
    for (int64_t i = 0; i < cell->n; i++)
        ones[i] = 1;
    matrix->multiply(matrix, true, ones, diagonal);
    for (int64_t i = 0; i < cell->n; i++) {
        diagonal[i] = (diagonal[i] + 1) / 2;
        if (cell->precision == F32)
            diagonal[i] = (double)(float)diagonal[i];
    }
}

struct vectors {
    double *scratch, *diagonal, *b, *x; /* b and x have the precision of the cell */
};

static void judge_with(struct team_check *check, const struct vectors *of, struct verdict *verdict)
{
    const struct solver_rule rule = solver_rule_of(check->cell);
    struct distributed_matrix matrix = {.multiply = multiply, .diagonal = of->diagonal, .context = check};
    const struct linear_system system = {.precision = check->cell->precision,
                                         .n = check->cell->n,
                                         .method = SOLVER_JACOBI,
                                         .b = of->b,
                                         .distributed = &matrix};
    const bool has_b = collect(check, SOLVER_B, of->scratch, of->b);
    if (!collect(check, SOLVER_X, of->scratch, of->x) || !has_b) {
        verdict_fail(verdict, "the result cannot be verified: %.120s", check->memory->why());
        return;
    }
    find_diagonal(&matrix, check->cell, of->scratch, of->diagonal);
    void *reference = solver_verify_reference(&system);
    if (reference)
        solver_verify(reference, &rule, cell_meta(check->cell)->chaotic, of->x, check->log, verdict);
    else
        verdict_no_memory(verdict);
    solver_verify_reference_free(reference);
}

static void judge(struct team_check *check, struct verdict *verdict)
{
    const size_t bytes = (size_t)check->cell->n * sizeof(double);
    const struct vectors of = {malloc(bytes), malloc(bytes), malloc(bytes), malloc(bytes)};
    *verdict = (struct verdict){.ok = true, .error = NAN, .bound = NAN, .norm2 = NAN, .residual = NAN, .radius = NAN};
    if (of.scratch && of.diagonal && of.b && of.x)
        judge_with(check, &of, verdict);
    else
        verdict_no_memory(verdict);
    free(of.scratch);
    free(of.diagonal);
    free(of.b);
    free(of.x);
}

const struct team_problem solver_problem_jacobi_team = {.inputs = inputs_of, .judge = judge};
