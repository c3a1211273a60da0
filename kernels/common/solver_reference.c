/* Sweeps of an iterative solver in double precision, on all cores.
 * SPDX-License-Identifier: MIT
 *
 * The residual comes with the sweep. A sweep of Jacobi computes r_k anyway. A sweep of Gauss-Seidel computes U x_k,
 * where U is the part of A above the diagonal: r_k = D (x_k - x_(k-1)) (1 / omega - 1) + U x_(k-1) - U x_k. */
#include "solver_reference.h"

#include "verify/inputs.h"
#include "verify/parallel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Fewer elements of A are not worth a second core. */
enum { WORTH = 1 << 18 };
enum { STREAM_START = 3000 };

struct solver_reference {
    const struct linear_system *of;
    double omega;
    bool homogeneous;
    int64_t sweep;
    double *memory;             /* holds all arrays */
    double *x, *before;         /* x, and x from before the last sweep */
    double *upper, *upper_then; /* Gauss-Seidel: U x of this sweep and of the last one */
    double *lower; /* Gauss-Seidel: products of a block's rows with the x of the blocks above; Jacobi with a
                                 * distributed matrix: A x */
    double *residual;
    double largest, change;
    int64_t block, after; /* Gauss-Seidel: the present block is the rows block to after - 1 */
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

/* Four sums of two lanes each: the loop does not wait for each addition, and rounding errors stay small. */
double solver_reference_dot(const struct linear_system *of, int64_t row, int64_t begin, int64_t end, const double *x)
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

static double right_side(const struct solver_reference *iteration, int64_t row)
{
    return iteration->homogeneous ? 0 : operand_value(iteration->of->b, iteration->of->precision, row);
}

static double diagonal(const struct solver_reference *iteration, int64_t row)
{
    const struct linear_system *of = iteration->of;
    return of->distributed ? of->distributed->diagonal[row] : operand_value(of->a, of->precision, row * of->n + row);
}

/* Calls body for `count` rows of n elements, on all cores if that pays. */
static void for_rows(int64_t count, int64_t n, void (*body)(int64_t begin, int64_t end, void *context), void *context)
{
    if (count * n >= WORTH)
        parallel_for(count, body, context);
    else
        body(0, count, context);
}

static void jacobi_rows(int64_t begin, int64_t end, void *context)
{
    struct solver_reference *iteration = context;
    const int64_t n = iteration->of->n;
    for (int64_t row = begin; row < end; row++) {
        const double product = iteration->of->distributed
                                   ? iteration->lower[row]
                                   : solver_reference_dot(iteration->of, row, 0, n, iteration->before);
        iteration->residual[row] = right_side(iteration, row) - product;
        iteration->x[row] =
            iteration->before[row] + iteration->omega * iteration->residual[row] / diagonal(iteration, row);
    }
}

/* For the rows of a block: their products with the x of the blocks above, and with all x above the diagonal. */
static void seidel_rows(int64_t begin, int64_t end, void *context)
{
    struct solver_reference *iteration = context;
    const int64_t n = iteration->of->n;
    for (int64_t i = begin; i < end; i++) {
        const int64_t row = iteration->block + i;
        iteration->lower[i] = solver_reference_dot(iteration->of, row, 0, iteration->block, iteration->x);
        iteration->upper[row] = solver_reference_dot(iteration->of, row, row + 1, n, iteration->x);
    }
}

static void seidel_block(struct solver_reference *iteration)
{
    const double omega = iteration->omega;
    for_rows(iteration->after - iteration->block, iteration->of->n, seidel_rows, iteration);
    for (int64_t row = iteration->block; row < iteration->after; row++) {
        const double b = right_side(iteration, row), d = diagonal(iteration, row), x = iteration->x[row];
        const double lower = iteration->lower[row - iteration->block] +
                             solver_reference_dot(iteration->of, row, iteration->block, row, iteration->x);
        iteration->x[row] = x + omega * (b - lower - d * x - iteration->upper[row]) / d;
        iteration->residual[row] = iteration->sweep == 0 ? b
                                                         : d * (x - iteration->before[row]) * (1 / omega - 1) +
                                                               (iteration->upper_then[row] - iteration->upper[row]);
        iteration->before[row] = x;
    }
}

static void seidel_sweep(struct solver_reference *iteration)
{
    const int64_t n = iteration->of->n, rows = 16 * WORTH / n > 16 ? 16 * WORTH / n : 16;
    double *const then = iteration->upper_then;
    iteration->upper_then = iteration->upper;
    iteration->upper = then;
    for (iteration->block = 0; iteration->block < n; iteration->block = iteration->after) {
        iteration->after = iteration->block + rows < n ? iteration->block + rows : n;
        seidel_block(iteration);
    }
}

/* The larger number, or NaN if one of the two is NaN. */
static double larger(double a, double b)
{
    return isnan(a) || a >= b ? a : b;
}

double solver_reference_sweep(struct solver_reference *iteration)
{
    const int64_t n = iteration->of->n;
    if (iteration->of->method == SOLVER_JACOBI) {
        double *const before = iteration->x;
        iteration->x = iteration->before;
        iteration->before = before;
        if (iteration->of->distributed)
            iteration->of->distributed->multiply(iteration->of->distributed, false, before, iteration->lower);
        for_rows(n, n, jacobi_rows, iteration);
    } else {
        seidel_sweep(iteration);
    }
    double sum = 0;
    iteration->change = 0;
    for (int64_t i = 0; i < n; i++) {
        iteration->largest = larger(iteration->largest, fabs(iteration->x[i]));
        iteration->change = larger(iteration->change, fabs(iteration->x[i] - iteration->before[i]));
        sum += iteration->residual[i] * iteration->residual[i];
    }
    iteration->sweep++;
    return sqrt(sum);
}

const double *solver_reference_x(const struct solver_reference *iteration)
{
    return iteration->x;
}

const double *solver_reference_before(const struct solver_reference *iteration)
{
    return iteration->before;
}

double solver_reference_largest(const struct solver_reference *iteration)
{
    return iteration->largest;
}

double solver_reference_change(const struct solver_reference *iteration)
{
    return iteration->change;
}

struct solver_reference *solver_reference_begin(const struct linear_system *of, double omega, bool homogeneous)
{
    enum { ARRAYS = 6 };
    struct solver_reference *iteration = malloc(sizeof *iteration);
    double *memory = calloc((size_t)of->n, ARRAYS * sizeof *memory);
    if (!iteration || !memory) {
        free(iteration);
        free(memory);
        return NULL;
    }
    *iteration = (struct solver_reference){.of = of, .omega = omega, .homogeneous = homogeneous, .memory = memory};
    double **const vector[ARRAYS] = {&iteration->x,          &iteration->before, &iteration->upper,
                                     &iteration->upper_then, &iteration->lower,  &iteration->residual};
    for (int i = 0; i < ARRAYS; i++)
        *vector[i] = memory + i * of->n;
    if (homogeneous)
        inputs_fill_uniform(iteration->x, of->n, F64, 0, STREAM_START);
    return iteration;
}

void solver_reference_end(struct solver_reference *iteration)
{
    if (iteration)
        free(iteration->memory);
    free(iteration);
}

/* Scales x to the norm 1. Returns the norm from before. */
static double normalise(struct solver_reference *iteration)
{
    const int64_t n = iteration->of->n;
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += iteration->x[i] * iteration->x[i];
    for (int64_t i = 0; i < n && sum > 0; i++)
        iteration->x[i] /= sqrt(sum);
    return sqrt(sum);
}

double solver_reference_radius(const struct linear_system *of, double omega)
{
    enum { SWEEPS = 200 };
    struct solver_reference *iteration = solver_reference_begin(of, omega, true);
    double logarithm = 0;
    if (!iteration)
        return NAN;
    normalise(iteration);
    for (int i = 0; i < SWEEPS; i++) {
        solver_reference_sweep(iteration);
        const double growth = normalise(iteration);
        /* With a pair of complex eigenvalues the growth of x oscillates, but its mean over many sweeps does not. */
        if (i >= SWEEPS / 2)
            logarithm += log(growth);
    }
    solver_reference_end(iteration);
    return exp(logarithm / (SWEEPS - SWEEPS / 2));
}
