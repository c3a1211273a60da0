/* Probe: the sustained rate at which memory is copied. The traffic is one read and one write of each element. A cache
 * may also read a line before it writes the line; this read is not counted.
 * SPDX-License-Identifier: MIT */
#include "cell.h"
#include "problem.h"
#include "common/probe.h"
#include "verify/equal.h"
#include "verify/inputs.h"

enum { A, C };

static double bytes(const struct cell *cell)
{
    return 2.0 * (double)cell->n * (double)cell_precision_size(cell->precision);
}

static void generate(const struct cell *cell, enum inputs inputs, uint64_t seed, void *const operand[])
{
    (void)inputs;
    if (cell->precision == I32)
        inputs_fill_integers(operand[A], cell->n, I32, seed, A, INT32_MIN, INT32_MAX);
    else
        inputs_fill_uniform(operand[A], cell->n, cell->precision, seed, A);
}

static void verify(const struct cell *cell, enum inputs inputs, const void *reference, void *const operand[],
                   struct verdict *verdict)
{
    (void)inputs, (void)reference;
    equal_verify(operand[A], operand[C], cell->n, cell->precision, verdict);
}

const struct problem problem_copy = {
    .name = "copy",
    .summary = "probe: memory bandwidth of a copy, reads and writes both counted",
    .formula = "c_i = a_i",
    .baseline = "*",
    .precisions = ALL_PRECISIONS,
    .axes = HONOURS(n),
    .probe = true,
    .operand_count = 2,
    .operand = {{"A", INPUT, probe_row, 0, 1}, {"C", OUTPUT, probe_row, 0, 1}},
    .flops = probe_no_flops,
    .bytes = bytes,
    .generate = generate,
    .verify = verify,
};
