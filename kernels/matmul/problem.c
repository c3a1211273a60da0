/* Matrix product: shapes, inputs, work and verification shared by all its variants.
 * SPDX-License-Identifier: MIT */
#include "inputs.h"
#include "registry.h"
#include "verify.h"

#include <math.h>

enum { A, B, C };

static void shape_a(const struct cell *cell, int64_t *rows, int64_t *cols)
{
    *rows = cell->m;
    *cols = cell->k;
}

static void shape_b(const struct cell *cell, int64_t *rows, int64_t *cols)
{
    *rows = cell->k;
    *cols = cell->n;
}

static void shape_c(const struct cell *cell, int64_t *rows, int64_t *cols)
{
    *rows = cell->m;
    *cols = cell->n;
}

static double flops(const struct cell *cell)
{
    return 2.0 * (double)cell->m * (double)cell->n * (double)cell->k;
}

static double bytes(const struct cell *cell)
{
    const double m = (double)cell->m, n = (double)cell->n, k = (double)cell->k;
    return (m * k + k * n + m * n) * (double)precision_size(cell->precision);
}

/* The largest |a| and |b| for which every partial sum is an integer that the precision holds. The
 * upper limit leaves the inputs exact in formats of 11 bits too, such as TF32. */
static int64_t exact_magnitude(const struct cell *cell)
{
    const double largest_sum = (cell->precision == F32 ? 0x1p24 : 0x1p53) - 1;
    const double magnitude = floor(sqrt(largest_sum / (double)cell->k));
    return magnitude < 1000 ? (int64_t)magnitude : 1000;
}

static bool has_exact(const struct cell *cell)
{
    return cell->precision != I32 && exact_magnitude(cell) > 0;
}

static void generate(const struct cell *cell, enum inputs inputs, uint64_t seed,
                     void *const operand[])
{
    const int64_t count[] = {[A] = cell->m * cell->k, [B] = cell->k * cell->n};
    for (int i = A; i <= B; i++) {
        const uint32_t stream = (uint32_t)i;
        if (cell->precision == I32) {
            inputs_fill_integers(operand[i], count[i], I32, seed, stream, -50, 50);
        } else if (inputs == INPUTS_EXACT) {
            const int64_t most = exact_magnitude(cell);
            inputs_fill_integers(operand[i], count[i], cell->precision, seed, stream, -most, most);
        } else {
            inputs_fill_uniform(operand[i], count[i], cell->precision, seed, stream);
        }
    }
}

static struct product product_of(const struct cell *cell, void *const operand[])
{
    return (struct product){.precision = cell->precision,
                            .m = cell->m,
                            .n = cell->n,
                            .k = cell->k,
                            .a = operand[A],
                            .b = operand[B]};
}

static void *reference(const struct cell *cell, enum inputs inputs, uint64_t seed,
                       void *const operand[])
{
    const struct product product = product_of(cell, operand);
    return product_reference(&product, inputs, seed);
}

static void verify(const struct cell *cell, enum inputs inputs, const void *reference,
                   void *const operand[], struct verdict *verdict)
{
    struct product product = product_of(cell, operand);
    product.input_roundoff = cell->entry->meta->input_roundoff;
    product_verify(&product, inputs, reference, operand[C], verdict);
}

const struct problem problem_matmul = {
    .name = "matmul",
    .summary = "product of two dense matrices",
    .formula = "C = AB",
    .baseline = "blas-*",
    .precisions = ALL_PRECISIONS,
    .axes = HONOURS(m) | HONOURS(n) | HONOURS(k),
    .operand_count = 3,
    .operand = {{"A", INPUT, shape_a}, {"B", INPUT, shape_b}, {"C", OUTPUT, shape_c}},
    .flops = flops,
    .bytes = bytes,
    .has_exact = has_exact,
    .generate = generate,
    .reference = reference,
    .reference_free = product_reference_free,
    .verify = verify,
};
