/* Verification of a factorisation that is distributed over a team: the scaled residual of a solution.
 * SPDX-License-Identifier: MIT */
#include "verify_team.h"

#include "verify/inputs.h"

#include <math.h>
#include <stdlib.h>

enum { A, STREAM_RIGHT_HAND_SIDE = 2000 };
static const double BOUND = 16;

static struct team_inputs inputs_of(const struct cell *cell, int operand, enum inputs inputs, uint64_t seed)
{
    (void)cell, (void)inputs;
    return (struct team_inputs){.kind = TEAM_UNIFORM, .key = inputs_key(seed, (uint32_t)operand)};
}

static double largest(const double *vector, int64_t n)
{
    double most = 0;
    for (int64_t i = 0; i < n; i++)
        if (!(fabs(vector[i]) <= most))
            most = fabs(vector[i]);
    return most;
}

/* product = A x over all members, or |A| x. A holds the matrix again, and not its factors. */
static bool multiply(struct team_check *check, bool magnitudes, const double *x, double *product, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        product[i] = 0;
    return check->memory->multiply(&check->team->matrix[A], false, magnitudes, TEAM_ALL, x, product) == 0 &&
           check->messages->sum(product, n) == 0;
}

/* The scaled residual; false where it cannot be computed. */
static bool residual(struct team_check *check, double *b, double *x, double *product, double *scaled)
{
    const int64_t n = check->cell->n;
    const double u = check->cell->precision == F32 ? 0x1p-24 : 0x1p-53;
    for (int64_t i = 0; i < n; i++) {
        b[i] = inputs_uniform(check->seed, STREAM_RIGHT_HAND_SIDE, (uint64_t)i);
        x[i] = b[i] = check->cell->precision == F32 ? (double)(float)b[i] : b[i];
    }
    if (check->solve(check, x) != 0 || check->refill(check, A) != 0 || !multiply(check, false, x, product, n))
        return false;
    double difference = 0;
    for (int64_t i = 0; i < n; i++)
        if (!(fabs(b[i] - product[i]) <= difference))
            difference = fabs(b[i] - product[i]);
    const double size_x = largest(x, n), size_b = largest(b, n);
    for (int64_t i = 0; i < n; i++)
        x[i] = 1;
    if (!multiply(check, true, x, product, n))
        return false;
    *scaled = difference / (u * (double)n * (largest(product, n) * size_x + size_b));
    return true;
}

static void judge(struct team_check *check, struct verdict *verdict)
{
    const size_t bytes = (size_t)check->cell->n * sizeof(double);
    double *b = malloc(bytes), *x = malloc(bytes), *product = malloc(bytes), scaled = NAN;
    *verdict = (struct verdict){.ok = true, .bound = BOUND, .norm2 = NAN};
    if (!b || !x || !product)
        verdict_no_memory(verdict);
    else if (!residual(check, b, x, product, &scaled))
        verdict_fail(verdict, "the result cannot be verified: %.120s", check->memory->why());
    else if (!(scaled < BOUND))
        (void)verdict_refuse(verdict, "the scaled residual of a solution with these factors is %.3g; the bound is %g",
                             scaled, BOUND);
    verdict->error = scaled;
    free(b);
    free(x);
    free(product);
}

const struct team_problem lu_verify_team = {.inputs = inputs_of, .judge = judge};
