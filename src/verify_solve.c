/* Verification of an iterative solution.
 * SPDX-License-Identifier: MIT
 *
 * The residual b - A x is computed anew in higher precision. A solve that says that it has converged may miss its
 * tolerance by what rounding makes of a residual, 4 sqrt(n) u || |A||x| + |b| ||: errors are told in units of both. */
#include "verify_solve.h"

#include "parallel.h"

#include <math.h>
#include <stdlib.h>

struct reference {
    struct linear_system of;
};

void *solve_reference(const struct linear_system *of)
{
    struct reference *reference = malloc(sizeof *reference);
    if (reference)
        *reference = (struct reference){*of};
    return reference;
}

void solve_reference_free(void *reference)
{
    free(reference);
}

static double element(const struct linear_system *of, int64_t row, int64_t col)
{
    return operand_value(of->a, of->precision,
                         of->column_major ? col * of->n + row : row * of->n + col);
}

static bool fail(struct verdict *verdict, const char *format, ...) TILELAB_PRINTF(2, 3);
static bool fail(struct verdict *verdict, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(verdict->reason, sizeof verdict->reason, format, args);
    va_end(args);
    verdict->ok = false;
    return false;
}

/* --- The true residual --- */

struct residual {
    const struct linear_system *of;
    const void *x;
    double *residual, *scale; /* of each row: b - A x, |A||x| + |b| */
};

static void residual_rows(int64_t begin, int64_t end, void *context)
{
    const struct residual *to = context;
    const struct linear_system *of = to->of;
    for (int64_t row = begin; row < end; row++) {
        const double b = operand_value(of->b, of->precision, row);
        long double sum = b, scale = fabs(b);
        for (int64_t col = 0; col < of->n; col++) {
            const long double product = (long double)element(of, row, col) *
                                        operand_value(to->x, of->precision, col);
            sum -= product;
            scale += fabsl(product);
        }
        to->residual[row] = (double)sum;
        to->scale[row] = (double)scale;
    }
}

static double norm2_of(const double *vector, int64_t n)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += vector[i] * vector[i];
    return sqrt(sum);
}

void solve_verify(const void *memory, const struct solve_rule *rule, bool chaotic, const void *x,
                  const struct solve_log *log, struct verdict *verdict)
{
    const struct linear_system *of = &((const struct reference *)memory)->of;
    const double u = of->precision == F32 ? 0x1p-24 : 0x1p-53, n = (double)of->n;
    struct residual residual = {of, x, malloc((size_t)of->n * sizeof(double)),
                                malloc((size_t)of->n * sizeof(double))};
    (void)chaotic;
    *verdict = (struct verdict){.ok = true, .error = NAN, .bound = 1, .norm2 = NAN};
    if (!residual.residual || !residual.scale) {
        fail(verdict, "no memory to verify the result");
    } else if (log->end != SOLVE_CONVERGED && log->end != SOLVE_COUNTED) {
        fail(verdict, "the solve ended with %lld after %lld sweeps", (long long)log->end,
             (long long)log->sweeps);
    } else {
        parallel_for(of->n, residual_rows, &residual);
        double b2 = 0;
        for (int64_t i = 0; i < of->n; i++)
            b2 += pow(operand_value(of->b, of->precision, i), 2);
        const double allowed = rule->tolerance * (rule->relative ? sqrt(b2) : 1) +
                               4 * sqrt(n) * u * norm2_of(residual.scale, of->n);
        const double norm = norm2_of(residual.residual, of->n);
        verdict->error = norm / allowed;
        if (log->end == SOLVE_CONVERGED && !(verdict->error <= 1))
            fail(verdict, "the residual is %.3g, not at most %.3g", norm, allowed);
    }
    free(residual.residual);
    free(residual.scale);
}
