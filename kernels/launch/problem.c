/* Probe: the time to start a kernel. n kernels run one after another, each of one thread, which adds 1 to a counter.
 * The counter proves that all kernels ran. The time of a launch is the time of a run, divided by n.
 * SPDX-License-Identifier: MIT */
#include "cell.h"
#include "problem.h"
#include "common/probe.h"

#include <math.h>

enum { COUNTER };

/* There are no floating-point operations. The number of launches lets the runner predict a time. */
static double flops(const struct cell *cell)
{
    return (double)cell->n;
}

static double bytes(const struct cell *cell)
{
    return (double)cell_precision_size(cell->precision);
}

static void generate(const struct cell *cell, enum inputs inputs, uint64_t seed, void *const operand[])
{
    (void)cell, (void)inputs, (void)seed, (void)operand; /* there is no input */
}

static void verify(const struct cell *cell, enum inputs inputs, const void *reference, void *const operand[],
                   struct verdict *verdict)
{
    (void)inputs, (void)reference;
    const double found = operand_value(operand[COUNTER], cell->precision, 0);
    *verdict = (struct verdict){.ok = true, .error = 0, .bound = 0, .norm2 = NAN};
    if (!(found == (double)cell->n))
        verdict_fail(verdict, "the kernels counted to %.9g, not to %lld", found, (long long)cell->n);
}

const struct problem problem_launch = {
    .name = "launch",
    .summary = "probe: time of a kernel launch",
    .formula = "c = \\sum 1",
    .baseline = "*",
    .precisions = BIT(I32),
    .axes = HONOURS(n),
    .probe = true,
    .operand_count = 1,
    .operand = {{"C", OUTPUT, probe_scalar}},
    .flops = flops,
    .bytes = bytes,
    .generate = generate,
    .verify = verify,
};
