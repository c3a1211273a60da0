/* Probe: the rate at which a GPU's shared memory is read. A table has SMEM_GROUPS groups of four elements, 16 bytes.
 * Each of m threads loads n groups and adds them up. Every load counts, also if two threads load the same group.
 * SPDX-License-Identifier: MIT
 *
 * Thread l loads groups l, l + SMEM_STEP, l + 2 SMEM_STEP ... modulo SMEM_GROUPS. The table holds small integers, whose
 * sums are exact: the four sums of a thread prove that the thread made every load. */
#include "cell.h"
#include "problem.h"
#include "table.h"
#include "verify/inputs.h"

#include <math.h>

enum { X, Y };

static void shape_table(const struct cell *cell, int64_t *rows, int64_t *cols)
{
    (void)cell;
    *rows = SMEM_GROUPS;
    *cols = SMEM_GROUP;
}

static void shape_sums(const struct cell *cell, int64_t *rows, int64_t *cols)
{
    *rows = cell->m;
    *cols = SMEM_GROUP;
}

static double flops(const struct cell *cell)
{
    return (double)SMEM_GROUP * (double)cell->m * (double)cell->n;
}

static double bytes(const struct cell *cell)
{
    return flops(cell) * (double)cell_precision_size(cell->precision);
}

static void generate(const struct cell *cell, enum inputs inputs, uint64_t seed, void *const operand[])
{
    (void)inputs;
    inputs_fill_integers(operand[X], (int64_t)SMEM_GROUPS * SMEM_GROUP, cell->precision, seed, X, -8, 8);
}

/* One of the four sums of a thread: whole periods through its groups, then the rest of a period. */
static double expected(const struct cell *cell, const void *table, int64_t thread, int element)
{
    enum { PERIOD = SMEM_GROUPS / SMEM_STEP };
    double period = 0, rest = 0;
    for (int64_t step = 0; step < PERIOD; step++) {
        const int64_t group = (thread + step * SMEM_STEP) % SMEM_GROUPS;
        const double value = operand_value(table, cell->precision, group * SMEM_GROUP + element);
        period += value;
        if (step < cell->n % PERIOD)
            rest += value;
    }
    return period * (double)(cell->n / PERIOD) + rest;
}

static void verify(const struct cell *cell, enum inputs inputs, const void *reference, void *const operand[],
                   struct verdict *verdict)
{
    (void)inputs, (void)reference;
    double sum[SMEM_GROUPS * SMEM_GROUP]; /* equal for threads that are SMEM_GROUPS apart */
    *verdict = (struct verdict){.ok = true, .error = 0, .bound = 0, .norm2 = NAN};
    for (int64_t i = 0; i < SMEM_GROUPS * SMEM_GROUP; i++)
        sum[i] = expected(cell, operand[X], i / SMEM_GROUP, i % SMEM_GROUP);
    for (int64_t i = 0; i < cell->m * SMEM_GROUP; i++) {
        const double found = operand_value(operand[Y], cell->precision, i);
        const double right = sum[i % (SMEM_GROUPS * SMEM_GROUP)];
        if (found == right)
            continue;
        verdict_fail(verdict, "sum %lld of thread %lld is %.9g, not %.9g", (long long)(i % SMEM_GROUP),
                     (long long)(i / SMEM_GROUP), found, right);
        return;
    }
}

const struct problem problem_smem = {
    .name = "smem",
    .summary = "probe: read bandwidth of a GPU's shared memory",
    .formula = "y_l = \\sum x_{(l + 32 i) \\bmod 256}",
    .baseline = "*",
    .precisions = BIT(F32),
    .axes = HONOURS(m) | HONOURS(n),
    .probe = true,
    .operand_count = 2,
    .operand = {{"X", INPUT, shape_table}, {"Y", OUTPUT, shape_sums}},
    .flops = flops,
    .bytes = bytes,
    .generate = generate,
    .verify = verify,
};
