/* Probe: the sustained rate of multiply-adds. Each of m independent sums makes n steps y = a y + b, from y = x on.
 * SPDX-License-Identifier: MIT
 *
 * With a = b = 1, which no compiler knows, y is exactly x + n: the result proves that the kernel made every step. To
 * reach the full rate of every CPU, m is a multiple of 768 sums a thread. */
#include "cell.h"
#include "problem.h"
#include "verify/inputs.h"

#include <math.h>

enum { X, P, Y };

static void shape_sums(const struct cell *cell, int64_t *rows, int64_t *cols)
{
    *rows = cell->m;
    *cols = 1;
}

static void shape_parameters(const struct cell *cell, int64_t *rows, int64_t *cols)
{
    (void)cell;
    *rows = 2;
    *cols = 1;
}

static double flops(const struct cell *cell)
{
    return 2.0 * (double)cell->m * (double)cell->n;
}

static double bytes(const struct cell *cell)
{
    return 2.0 * (double)cell->m * (double)cell_precision_size(cell->precision);
}

static void generate(const struct cell *cell, enum inputs inputs, uint64_t seed, void *const operand[])
{
    (void)inputs;
    inputs_fill_integers(operand[X], cell->m, cell->precision, seed, X, -8, 8);
    inputs_fill_integers(operand[P], 2, cell->precision, seed, P, 1, 1);
}

static void verify(const struct cell *cell, enum inputs inputs, const void *reference, void *const operand[],
                   struct verdict *verdict)
{
    (void)inputs, (void)reference;
    *verdict = (struct verdict){.ok = true, .error = 0, .bound = 0, .norm2 = NAN};
    for (int64_t i = 0; i < cell->m; i++) {
        const double expected = operand_value(operand[X], cell->precision, i) + (double)cell->n;
        const double found = operand_value(operand[Y], cell->precision, i);
        if (found == expected)
            continue;
        verdict_fail(verdict, "sum %lld is %.9g, not %.9g", (long long)i, found, expected);
        return;
    }
}

const struct problem problem_fma = {
    .name = "fma",
    .summary = "probe: rate of independent multiply-adds in registers",
    .formula = "y_i = a y_i + b",
    .baseline = "*",
    .precisions = ALL_PRECISIONS,
    .axes = HONOURS(m) | HONOURS(n),
    .probe = true,
    .operand_count = 3,
    .operand = {{"X", INPUT, shape_sums}, {"P", INPUT, shape_parameters}, {"Y", OUTPUT, shape_sums}},
    .flops = flops,
    .bytes = bytes,
    .generate = generate,
    .verify = verify,
};
