/* A hidden problem for tests of the runner. Its variants go wrong on purpose, each in one way.
 * SPDX-License-Identifier: MIT */
#include "cell.h"
#include "problem.h"
#include "verify/inputs.h"

enum { A, C };

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
    return 2.0 * (double)cell->n * (double)cell->n * (double)cell_precision_size(cell->precision);
}

static bool has_exact(const struct cell *cell)
{
    return cell->precision != I32;
}

static void generate(const struct cell *cell, enum inputs inputs, uint64_t seed, void *const operand[])
{
    inputs_fill_integers(operand[A], cell->n * cell->n, cell->precision, seed, (uint32_t)inputs, -50, 50);
}

static void verify(const struct cell *cell, enum inputs inputs, const void *reference, void *const operand[],
                   struct verdict *verdict)
{
    (void)inputs, (void)reference;
    *verdict = (struct verdict){.ok = true, .error = 0, .bound = 0, .norm2 = 0};
    for (int64_t i = 0; i < cell->n * cell->n; i++) {
        const double expected = operand_value(operand[A], cell->precision, i) + 1;
        const double found = operand_value(operand[C], cell->precision, i);
        verdict->norm2 += found * found;
        if (verdict->ok && !(found == expected))
            verdict_fail(verdict, "C(%lld, %lld) is %.9g, not %.9g", (long long)(i / cell->n), (long long)(i % cell->n),
                         found, expected);
    }
}

static void mark(const struct cell *cell, enum inputs inputs, void *const operand[], unsigned char *wrong)
{
    (void)inputs;
    for (int64_t i = 0; i < cell->n * cell->n; i++) {
        const double found = operand_value(operand[C], cell->precision, i);
        wrong[i] = !(found == operand_value(operand[A], cell->precision, i) + 1);
    }
}

const struct problem problem_fault = {
    .name = "fault",
    .summary = "variants that go wrong on purpose",
    .formula = "C = A + 1",
    .baseline = "cpu-right",
    .precisions = ALL_PRECISIONS,
    .axes = HONOURS(n),
    .hidden = true,
    .operand_count = 2,
    .operand = {{"A", INPUT, shape}, {"C", OUTPUT, shape}},
    .flops = flops,
    .bytes = bytes,
    .has_exact = has_exact,
    .generate = generate,
    .verify = verify,
    .mark = mark,
};
