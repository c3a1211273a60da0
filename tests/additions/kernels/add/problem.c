/* The sum of two square matrices, C = A + B, with B as often as the axis `times` says where a variant has it. The
 * elements of A and B are small integers, so that every sum is exact.
 * SPDX-License-Identifier: MIT */
#include "cell.h"
#include "problem.h"
#include "verify/inputs.h"

enum { A, B, C };

static void shape(const struct cell *cell, int64_t *rows, int64_t *cols)
{
    *rows = *cols = cell->n;
}

static double flops(const struct cell *cell)
{
    return (double)cell->n * (double)cell->n;
}

static double bytes(const struct cell *cell)
{
    return 3.0 * (double)cell->n * (double)cell->n * (double)cell_precision_size(cell->precision);
}

static void generate(const struct cell *cell, enum inputs inputs, uint64_t seed, void *const operand[])
{
    (void)inputs;
    inputs_fill_integers(operand[A], cell->n * cell->n, cell->precision, seed, A, -1000, 1000);
    inputs_fill_integers(operand[B], cell->n * cell->n, cell->precision, seed, B, -1000, 1000);
}

static void verify(const struct cell *cell, enum inputs inputs, const void *reference, void *const operand[],
                   struct verdict *verdict)
{
    (void)inputs, (void)reference;
    const double times = cell->times ? (double)cell->times : 1;
    *verdict = (struct verdict){.ok = true, .error = 0, .bound = 0, .norm2 = NAN};
    for (int64_t i = 0; i < cell->n * cell->n; i++) {
        const double expected =
            operand_value(operand[A], cell->precision, i) + times * operand_value(operand[B], cell->precision, i);
        /* Written so that NaN fails. */
        if (!(operand_value(operand[C], cell->precision, i) == expected)) {
            verdict_fail(verdict, "element %lld is wrong", (long long)i);
            return;
        }
    }
}

const struct problem problem_add = {
    .name = "add",
    .summary = "sum of two square matrices",
    .formula = "C = A + B",
    .title = "Sum of two matrices",
    .title_ru = "Сумма двух матриц",
    .computes = "sums $C=A+B$",
    .computes_ru = "суммы $C=A+B$",
    .baseline = "*",
    .precisions = ALL_PRECISIONS,
    .axes = HONOURS(n),
    .operand_count = 3,
    .operand = {{"A", INPUT, shape}, {"B", INPUT, shape}, {"C", OUTPUT, shape}},
    .flops = flops,
    .bytes = bytes,
    .generate = generate,
    .verify = verify,
};
