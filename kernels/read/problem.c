/* Probe: the sustained rate at which memory is read, or a cache if the array fits in it. The sum of all elements over
 * all passes proves that every element was read. The elements are small integers of either sign, so that their sum is
 * the same in any order.
 * SPDX-License-Identifier: MIT */
#include "cell.h"
#include "passes.h"
#include "problem.h"
#include "common/probe.h"
#include "verify/inputs.h"
#include "verify/parallel.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { A, S };
enum { BLOCK = 1 << 15 };

static double flops(const struct cell *cell)
{
    return (double)cell->n * (double)read_passes(cell);
}

static double bytes(const struct cell *cell)
{
    return (double)cell->n * (double)read_passes(cell) * (double)cell_precision_size(cell->precision);
}

static void generate(const struct cell *cell, enum inputs inputs, uint64_t seed, void *const operand[])
{
    (void)inputs;
    inputs_fill_integers(operand[A], cell->n, cell->precision, seed, A, -8, 8);
}

struct sum {
    const void *a;
    int64_t n, precision;
    _Atomic int64_t total;
};

static void add_blocks(int64_t begin, int64_t end, void *context)
{
    struct sum *sum = context;
    const int64_t first = begin * BLOCK, last = end * BLOCK < sum->n ? end * BLOCK : sum->n;
    int64_t part = 0;
    for (int64_t i = first; i < last; i++)
        part += (int64_t)operand_value(sum->a, sum->precision, i);
    atomic_fetch_add(&sum->total, part);
}

static void *reference(const struct cell *cell, enum inputs inputs, uint64_t seed, void *const operand[])
{
    (void)inputs, (void)seed;
    int64_t *total = malloc(sizeof *total);
    if (!total)
        return NULL;
    struct sum sum = {operand[A], cell->n, cell->precision, 0};
    parallel_for((cell->n + BLOCK - 1) / BLOCK, add_blocks, &sum);
    *total = sum.total * read_passes(cell);
    return total;
}

static void verify(const struct cell *cell, enum inputs inputs, const void *reference, void *const operand[],
                   struct verdict *verdict)
{
    (void)inputs;
    const double expected = (double)*(const int64_t *)reference;
    const double found = operand_value(operand[S], cell->precision, 0);
    *verdict = (struct verdict){.ok = true, .error = 0, .bound = 0, .norm2 = NAN};
    if (!(found == expected))
        verdict_fail(verdict, "the sum is %.9g, not %.9g", found, expected);
}

const struct problem problem_read = {
    .name = "read",
    .summary = "probe: read bandwidth of memory, and of caches for short arrays",
    .formula = "s = \\sum a_i",
    .baseline = "*",
    .precisions = ALL_PRECISIONS,
    .axes = HONOURS(n),
    .probe = true,
    .operand_count = 2,
    .operand = {{"A", INPUT, probe_row}, {"S", OUTPUT, probe_scalar}},
    .flops = flops,
    .bytes = bytes,
    .generate = generate,
    .reference = reference,
    .reference_free = free,
    .verify = verify,
};
