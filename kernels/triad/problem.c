/* Probe: the sustained rate at which a = b + s c reads and writes memory. The traffic is two reads and one write of
 * each element. A cache may also read a line before it writes the line; this read is not counted.
 * SPDX-License-Identifier: MIT
 *
 * b, c and s are small integers: the result is exact in every precision, with or without fused multiply-adds. */
#include "cell.h"
#include "problem.h"
#include "common/probe.h"
#include "verify/inputs.h"
#include "verify/parallel.h"

#include <math.h>
#include <stdatomic.h>

enum { B, C, S, A };
enum { BLOCK = 1 << 15 };

static double flops(const struct cell *cell)
{
    return 2.0 * (double)cell->n;
}

static double bytes(const struct cell *cell)
{
    return 3.0 * (double)cell->n * (double)cell_precision_size(cell->precision);
}

static void generate(const struct cell *cell, enum inputs inputs, uint64_t seed, void *const operand[])
{
    (void)inputs;
    inputs_fill_integers(operand[B], cell->n, cell->precision, seed, B, -1000, 1000);
    inputs_fill_integers(operand[C], cell->n, cell->precision, seed, C, -1000, 1000);
    inputs_fill_integers(operand[S], 1, cell->precision, seed, S, 3, 3);
}

struct comparison {
    void *const *operand;
    int64_t n, precision;
    _Atomic int64_t differs; /* the index of a wrong element, or -1 */
};

static double expected(const struct comparison *of, int64_t i)
{
    return operand_value(of->operand[B], of->precision, i) +
           operand_value(of->operand[S], of->precision, 0) * operand_value(of->operand[C], of->precision, i);
}

static void compare_blocks(int64_t begin, int64_t end, void *context)
{
    struct comparison *comparison = context;
    const int64_t last = end * BLOCK < comparison->n ? end * BLOCK : comparison->n;
    for (int64_t i = begin * BLOCK; i < last; i++)
        if (!(operand_value(comparison->operand[A], comparison->precision, i) == expected(comparison, i)))
            comparison->differs = i;
}

static void verify(const struct cell *cell, enum inputs inputs, const void *reference, void *const operand[],
                   struct verdict *verdict)
{
    (void)inputs, (void)reference;
    struct comparison comparison = {operand, cell->n, cell->precision, -1};
    *verdict = (struct verdict){.ok = true, .error = 0, .bound = 0, .norm2 = NAN};

    parallel_for((cell->n + BLOCK - 1) / BLOCK, compare_blocks, &comparison);
    const int64_t at = comparison.differs;
    if (at < 0)
        return;
    verdict_fail(verdict, "element %lld is %.9g, not %.9g", (long long)at,
                 operand_value(operand[A], cell->precision, at), expected(&comparison, at));
}

const struct problem problem_triad = {
    .name = "triad",
    .summary = "probe: memory bandwidth, two arrays read and one written (STREAM triad)",
    .formula = "a_i = b_i + s c_i",
    .baseline = "*",
    .precisions = ALL_PRECISIONS,
    .axes = HONOURS(n),
    .probe = true,
    .operand_count = 4,
    .operand = {{"B", INPUT, probe_row, 0, 1},
                {"C", INPUT, probe_row, 0, 1},
                {"S", INPUT, probe_scalar},
                {"A", OUTPUT, probe_row, 0, 1}},
    .flops = flops,
    .bytes = bytes,
    .generate = generate,
    .verify = verify,
};
