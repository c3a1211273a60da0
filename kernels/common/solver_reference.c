/* Sweeps of a relaxation in double, with all cores.
 * SPDX-License-Identifier: MIT
 *
 * The residual comes with the sweep. Jacobi: r_k is what the step is made of. Seidel: with U, what is above the
 * diagonal, r_k = D (x_k - x_(k-1)) (1 / omega - 1) + U x_(k-1) - U x_k. */
#include "solver_reference.h"

#include "verify/inputs.h"
#include "verify/parallel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Elements that are worth other cores. */
enum { WORTH = 1 << 18 };
enum { STREAM_START = 3000 };

struct relax {
    const struct linear_system *of;
    double omega;
    bool homogeneous;
    int64_t sweep;
    double *memory;             /* of all vectors */
    double *x, *before;         /* x, and the one before the last sweep */
    double *upper, *upper_then; /* Seidel: U x of this sweep and of the one before */
    double *lower;              /* Seidel: of a block of rows, what the blocks before it add */
    double *residual;
    double largest, change;
    int64_t block, after; /* Seidel: the rows of now */
};

typedef double pair __attribute__((vector_size(16)));
typedef float pair32 __attribute__((vector_size(8)));

static inline pair load(const double *from)
{
    pair to;
    memcpy(&to, from, sizeof to);
    return to;
}

static inline pair load32(const float *from)
{
    pair32 to;
    memcpy(&to, from, sizeof to);
    return __builtin_convertvector(to, pair);
}

/* Four sums of two keep the loop from waiting for each addition, and the rounding small. */
double relax_dot(const struct linear_system *of, int64_t row, int64_t begin, int64_t end, const double *x)
{
    enum { SUMS = 4, STEP = 2 * SUMS };
    const double *a64 = (const double *)of->a + row * of->n;
    const float *a32 = (const float *)of->a + row * of->n;
    pair sum[SUMS] = {{0}};
    double rest = 0;
    int64_t col = begin;
    if (of->precision == F32)
        for (; col + STEP <= end; col += STEP)
            for (int s = 0; s < SUMS; s++)
                sum[s] += load32(a32 + col + 2 * s) * load(x + col + 2 * s);
    else
        for (; col + STEP <= end; col += STEP)
            for (int s = 0; s < SUMS; s++)
                sum[s] += load(a64 + col + 2 * s) * load(x + col + 2 * s);
    for (; col < end; col++)
        rest += operand_value(of->a, of->precision, row * of->n + col) * x[col];
    const pair all = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    return all[0] + all[1] + rest;
}

static double right_side(const struct relax *relax, int64_t row)
{
    return relax->homogeneous ? 0 : operand_value(relax->of->b, relax->of->precision, row);
}

static double diagonal(const struct relax *relax, int64_t row)
{
    const struct linear_system *of = relax->of;
    return operand_value(of->a, of->precision, row * of->n + row);
}

static void rows(int64_t count, int64_t n, void (*body)(int64_t begin, int64_t end, void *context), void *context)
{
    if (count * n >= WORTH)
        parallel_for(count, body, context);
    else
        body(0, count, context);
}

static void jacobi_rows(int64_t begin, int64_t end, void *context)
{
    struct relax *relax = context;
    const int64_t n = relax->of->n;
    for (int64_t row = begin; row < end; row++) {
        relax->residual[row] = right_side(relax, row) - relax_dot(relax->of, row, 0, n, relax->before);
        relax->x[row] = relax->before[row] + relax->omega * relax->residual[row] / diagonal(relax, row);
    }
}

/* What the rows of the block take from outside of it, and all that lies above their diagonal. */
static void seidel_rows(int64_t begin, int64_t end, void *context)
{
    struct relax *relax = context;
    const int64_t n = relax->of->n;
    for (int64_t i = begin; i < end; i++) {
        const int64_t row = relax->block + i;
        relax->lower[i] = relax_dot(relax->of, row, 0, relax->block, relax->x);
        relax->upper[row] = relax_dot(relax->of, row, row + 1, n, relax->x);
    }
}

static void seidel_block(struct relax *relax)
{
    const double omega = relax->omega;
    rows(relax->after - relax->block, relax->of->n, seidel_rows, relax);
    for (int64_t row = relax->block; row < relax->after; row++) {
        const double b = right_side(relax, row), d = diagonal(relax, row), x = relax->x[row];
        const double lower = relax->lower[row - relax->block] + relax_dot(relax->of, row, relax->block, row, relax->x);
        relax->x[row] = x + omega * (b - lower - d * x - relax->upper[row]) / d;
        relax->residual[row] = relax->sweep == 0 ? b
                                                 : d * (x - relax->before[row]) * (1 / omega - 1) +
                                                       (relax->upper_then[row] - relax->upper[row]);
        relax->before[row] = x;
    }
}

static void seidel_sweep(struct relax *relax)
{
    const int64_t n = relax->of->n, rows = 16 * WORTH / n > 16 ? 16 * WORTH / n : 16;
    double *const then = relax->upper_then;
    relax->upper_then = relax->upper;
    relax->upper = then;
    for (relax->block = 0; relax->block < n; relax->block = relax->after) {
        relax->after = relax->block + rows < n ? relax->block + rows : n;
        seidel_block(relax);
    }
}

/* NaN if one of both is. */
static double larger(double a, double b)
{
    return isnan(a) || a >= b ? a : b;
}

double relax_sweep(struct relax *relax)
{
    const int64_t n = relax->of->n;
    if (relax->of->method == METHOD_JACOBI) {
        double *const before = relax->x;
        relax->x = relax->before;
        relax->before = before;
        rows(n, n, jacobi_rows, relax);
    } else {
        seidel_sweep(relax);
    }
    double sum = 0;
    relax->change = 0;
    for (int64_t i = 0; i < n; i++) {
        relax->largest = larger(relax->largest, fabs(relax->x[i]));
        relax->change = larger(relax->change, fabs(relax->x[i] - relax->before[i]));
        sum += relax->residual[i] * relax->residual[i];
    }
    relax->sweep++;
    return sqrt(sum);
}

const double *relax_x(const struct relax *relax)
{
    return relax->x;
}

double relax_largest(const struct relax *relax)
{
    return relax->largest;
}

double relax_change(const struct relax *relax)
{
    return relax->change;
}

struct relax *relax_begin(const struct linear_system *of, double omega, bool homogeneous)
{
    enum { VECTORS = 6 };
    struct relax *relax = malloc(sizeof *relax);
    double *memory = calloc((size_t)of->n, VECTORS * sizeof *memory);
    if (!relax || !memory) {
        free(relax);
        free(memory);
        return NULL;
    }
    *relax = (struct relax){.of = of, .omega = omega, .homogeneous = homogeneous, .memory = memory};
    double **const vector[VECTORS] = {&relax->x,          &relax->before, &relax->upper,
                                      &relax->upper_then, &relax->lower,  &relax->residual};
    for (int i = 0; i < VECTORS; i++)
        *vector[i] = memory + i * of->n;
    if (homogeneous)
        inputs_fill_uniform(relax->x, of->n, F64, 0, STREAM_START);
    return relax;
}

void relax_end(struct relax *relax)
{
    if (relax)
        free(relax->memory);
    free(relax);
}

/* Scales x to the norm 1; returns the norm that it had. */
static double normalise(struct relax *relax)
{
    const int64_t n = relax->of->n;
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += relax->x[i] * relax->x[i];
    for (int64_t i = 0; i < n && sum > 0; i++)
        relax->x[i] /= sqrt(sum);
    return sqrt(sum);
}

double relax_radius(const struct linear_system *of, double omega)
{
    enum { SWEEPS = 200 };
    struct relax *relax = relax_begin(of, omega, true);
    double logarithm = 0;
    if (!relax)
        return NAN;
    normalise(relax);
    for (int i = 0; i < SWEEPS; i++) {
        relax_sweep(relax);
        const double growth = normalise(relax);
        /* A pair of complex eigenvalues turns x, so that its growth wavers; the mean does not. */
        if (i >= SWEEPS / 2)
            logarithm += log(growth);
    }
    relax_end(relax);
    return exp(logarithm / (SWEEPS - SWEEPS / 2));
}
