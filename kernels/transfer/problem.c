/* Probe: the rate of copies between the memories of host and device, one way. C = A, both on the device. An upload
 * copies the host's copy of A to C. A download copies A to the host; outside the timed region the copy returns as C.
 * SPDX-License-Identifier: MIT */
#include "cell.h"
#include "problem.h"
#include "common/probe.h"
#include "verify/equal.h"
#include "verify/inputs.h"

enum { A, C };

static double bytes(const struct cell *cell)
{
    return (double)cell->n * (double)cell_precision_size(cell->precision);
}

static void generate(const struct cell *cell, enum inputs inputs, uint64_t seed, void *const operand[])
{
    (void)inputs;
    inputs_fill_uniform(operand[A], cell->n, cell->precision, seed, A);
}

static void verify(const struct cell *cell, enum inputs inputs, const void *reference, void *const operand[],
                   struct verdict *verdict)
{
    (void)inputs, (void)reference;
    equal_verify(operand[A], operand[C], cell->n, cell->precision, verdict);
}

const struct problem problem_transfer = {
    .name = "transfer",
    .summary = "probe: bandwidth of copies between host and device, one direction",
    .formula = "c_i = a_i",
    .baseline = "*",
    .precisions = BIT(F32),
    .axes = HONOURS(n),
    .probe = true,
    .operand_count = 2,
    .operand = {{"A", INPUT, probe_row, 0, 1}, {"C", OUTPUT, probe_row, 0, 1}},
    .flops = probe_no_flops,
    .bytes = bytes,
    .generate = generate,
    .verify = verify,
};
