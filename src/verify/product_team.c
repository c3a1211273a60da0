/* Verification of a matrix product whose matrices are distributed over a team: Freivalds' check, where the parts lie.
 * SPDX-License-Identifier: MIT */
#include "product_team.h"

#include "inputs.h"

#include <math.h>
#include <stdlib.h>

enum { VECTORS = 3, STREAM_VECTORS = 1000 };

struct team_inputs product_team_inputs(const struct cell *cell, int64_t k, int operand, enum inputs inputs,
                                       uint64_t seed)
{
    struct team_inputs of = {.kind = TEAM_UNIFORM, .key = inputs_key(seed, (uint32_t)operand)};
    if (inputs == INPUTS_EXACT) {
        const int64_t most = inputs_exact_magnitude(cell->precision, k);
        of.kind = TEAM_INTEGERS;
        of.low = -most;
        of.values = (uint64_t)(2 * most + 1);
    }
    return of;
}

/* Vectors in host memory, the same in every rank. */
struct vectors {
    int64_t m, n, k;
    double *sign, *middle, *image, *found, *scale; /* r (n), B r (k), A (B r), C r and |A| (|B| 1) (m) */
};

static double *zeros(double *vector, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        vector[i] = 0;
    return vector;
}

static bool allocate(struct vectors *of)
{
    of->sign = malloc((size_t)of->n * sizeof(double));
    of->middle = malloc((size_t)of->k * sizeof(double));
    of->image = malloc((size_t)of->m * sizeof(double));
    of->found = malloc((size_t)of->m * sizeof(double));
    of->scale = malloc((size_t)of->m * sizeof(double));
    return of->sign && of->middle && of->image && of->found && of->scale;
}

static void release(struct vectors *of)
{
    free(of->sign);
    free(of->middle);
    free(of->image);
    free(of->found);
    free(of->scale);
}

/* y = A x over all ranks, where A is distributed. */
static bool multiply(struct team_check *check, int operand, bool transposed, bool magnitudes, const double *x,
                     double *y, int64_t count)
{
    const struct team_matrix *matrix = &check->team->matrix[operand];
    return check->memory->multiply(matrix, transposed, magnitudes, TEAM_ALL, x, zeros(y, count)) == 0 &&
           check->messages->sum(y, count) == 0;
}

/* y = C x; of a symmetric C perhaps only the lower triangle is there. */
static bool multiply_c(struct team_check *check, const struct product_team *of, const struct vectors *v)
{
    const struct team_matrix *c = &check->team->matrix[of->c];
    if (!of->lower)
        return multiply(check, of->c, false, false, v->sign, v->found, v->m);
    return check->memory->multiply(c, false, false, TEAM_LOWER, v->sign, zeros(v->found, v->m)) == 0 &&
           check->memory->multiply(c, true, false, TEAM_STRICTLY_LOWER, v->sign, v->found) == 0 &&
           check->messages->sum(v->found, v->m) == 0;
}

/* image = A (B r), or with magnitudes scale = |A| (|B| 1). */
static bool multiply_factors(struct team_check *check, const struct product_team *of, const struct vectors *v,
                             bool magnitudes, double *to)
{
    return multiply(check, of->b, of->b == of->a, magnitudes, v->sign, v->middle, v->k) &&
           multiply(check, of->a, false, magnitudes, v->middle, to, v->m);
}

/* Compares one image, and keeps the worst row. */
static double compare(const struct vectors *v, double allowed, int64_t *row)
{
    double worst = 0;
    for (int64_t i = 0; i < v->m; i++) {
        const double error = fabs(v->found[i] - v->image[i]), most = allowed * v->scale[i];
        const double ratio = error <= most              ? (most > 0 ? error / most : 0)
                             : most > 0 && error > most ? error / most
                                                        : INFINITY;
        if (!(ratio <= worst)) {
            worst = ratio;
            *row = i;
        }
    }
    return worst;
}

static bool check_vectors(struct team_check *check, const struct product_team *of, const struct vectors *v,
                          double allowed, double *worst, int64_t *row)
{
    for (int64_t i = 0; i < v->n; i++)
        v->sign[i] = 1;
    if (!multiply_factors(check, of, v, true, v->scale))
        return false;
    *worst = 0;
    for (int vector = 0; vector < VECTORS; vector++) {
        int64_t at = 0;
        for (int64_t i = 0; i < v->n; i++)
            v->sign[i] = inputs_bits(check->seed, STREAM_VECTORS, (uint64_t)(VECTORS * i + vector)) & 1 ? 1 : -1;
        if (!multiply_factors(check, of, v, false, v->image) || !multiply_c(check, of, v))
            return false;
        const double found = compare(v, allowed, &at);
        if (found > *worst) {
            *worst = found;
            *row = at;
        }
    }
    return true;
}

void product_team_judge(struct team_check *check, const struct product_team *of, struct verdict *verdict)
{
    const struct team_matrix *a = &check->team->matrix[of->a], *c = &check->team->matrix[of->c];
    struct vectors v = {.m = c->rows, .n = c->cols, .k = a->cols};
    const double k = (double)v.k, n = (double)v.n, u = check->cell->precision == F32 ? 0x1p-24 : 0x1p-53;
    const bool exact = check->inputs == INPUTS_EXACT;
    const double allowed = exact ? 0 : 4 * sqrt(k) * u / sqrt(n);
    double worst = NAN;
    int64_t row = 0;
    *verdict = (struct verdict){.ok = true, .error = 0, .bound = exact ? 0 : 4, .norm2 = NAN};
    if (!allocate(&v)) {
        verdict_no_memory(verdict);
    } else if (!check_vectors(check, of, &v, allowed, &worst, &row)) {
        verdict_fail(verdict, "the result cannot be verified: %.120s", check->memory->why());
    } else {
        verdict->error = isfinite(worst) ? worst * verdict->bound : NAN;
        if (!(worst <= 1))
            verdict_refuse(verdict, "row %lld of C is wrong: C r differs from A (B r)", (long long)row);
    }
    release(&v);
}
