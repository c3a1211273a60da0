/* Probe: the rate of copies between the host's memory and a device's, one way. C = A, both on the device: an upload
 * brings C from a copy of A that the host holds; a download takes A to the host, from where it comes back as C
 * outside the timed region.
 * SPDX-License-Identifier: MIT */
#include "inputs.h"
#include "parallel.h"
#include "registry.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

enum { A, C };
enum { BLOCK_BYTES = 1 << 18 };

static void shape(const struct cell *cell, int64_t *rows, int64_t *cols)
{
    *rows = 1;
    *cols = cell->n;
}

static double flops(const struct cell *cell)
{
    (void)cell;
    return 0;
}

static double bytes(const struct cell *cell)
{
    return (double)cell->n * (double)precision_size(cell->precision);
}

static void generate(const struct cell *cell, enum inputs inputs, uint64_t seed,
                     void *const operand[])
{
    (void)inputs;
    inputs_fill_uniform(operand[A], cell->n, cell->precision, seed, A);
}

struct comparison {
    const char *a, *c;
    int64_t size_bytes;
    _Atomic bool differs;
};

static void compare_blocks(int64_t begin, int64_t end, void *context)
{
    struct comparison *comparison = context;
    const int64_t first = begin * BLOCK_BYTES;
    const int64_t last =
        end * BLOCK_BYTES < comparison->size_bytes ? end * BLOCK_BYTES : comparison->size_bytes;
    if (memcmp(comparison->a + first, comparison->c + first, (size_t)(last - first)) != 0)
        comparison->differs = true;
}

static void verify(const struct cell *cell, enum inputs inputs, const void *reference,
                   void *const operand[], struct verdict *verdict)
{
    (void)inputs, (void)reference;
    struct comparison comparison = {operand[A], operand[C],
                                    cell->n * (int64_t)precision_size(cell->precision), false};
    *verdict = (struct verdict){.ok = true, .error = 0, .bound = 0, .norm2 = NAN};

    parallel_for((comparison.size_bytes + BLOCK_BYTES - 1) / BLOCK_BYTES, compare_blocks,
                 &comparison);
    if (!comparison.differs)
        return;
    int64_t at = 0;
    while (comparison.a[at] == comparison.c[at])
        at++;
    verdict_fail(verdict, "element %lld of the copy differs",
                 (long long)(at / (int64_t)precision_size(cell->precision)));
}

const struct problem problem_transfer = {
    .name = "transfer",
    .summary = "probe: rate of copies between host and device, one way",
    .formula = "c_i = a_i",
    .baseline = "*",
    .precisions = BIT(F32),
    .axes = HONOURS(n),
    .probe = true,
    .operand_count = 2,
    .operand = {{"A", INPUT, shape}, {"C", OUTPUT, shape}},
    .flops = flops,
    .bytes = bytes,
    .generate = generate,
    .verify = verify,
};
