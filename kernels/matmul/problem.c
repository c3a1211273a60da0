/* The matrix product C = A B: shapes, inputs, work and verification, which all its variants share.
 * SPDX-License-Identifier: MIT */
#include "cell.h"
#include "problem.h"
#include "verify/inputs.h"
#include "verify/product.h"
#include "verify/product_team.h"

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
    return (m * k + k * n + m * n) * (double)cell_precision_size(cell->precision);
}

static bool has_exact(const struct cell *cell)
{
    return inputs_factor_has_exact(cell->precision, cell->k);
}

static bool has_special(const struct cell *cell, enum inputs inputs)
{
    return cell->precision == I32 ? inputs == INPUTS_ZEROS : inputs > INPUTS_RANDOM && inputs != INPUTS_TIES;
}

static void generate(const struct cell *cell, enum inputs inputs, uint64_t seed, void *const operand[])
{
    const int64_t rows[] = {[A] = cell->m, [B] = cell->k}, cols[] = {[A] = cell->k, [B] = cell->n};
    for (int i = A; i <= B; i++)
        product_fill(operand[i], rows[i], cols[i], cell->precision, cell->k, inputs, seed, (uint32_t)i);
}

static struct product product_of(const struct cell *cell, void *const operand[])
{
    return (struct product){
        .precision = cell->precision, .m = cell->m, .n = cell->n, .k = cell->k, .a = operand[A], .b = operand[B]};
}

static void *reference(const struct cell *cell, enum inputs inputs, uint64_t seed, void *const operand[])
{
    const struct product product = product_of(cell, operand);
    return product_reference(&product, inputs, seed);
}

/* The product with what its variant promises. */
static struct product promised(const struct cell *cell, void *const operand[])
{
    struct product product = product_of(cell, operand);
    product.input_roundoff = cell_meta(cell)->input_roundoff;
    product.input_floor = cell_meta(cell)->input_floor;
    return product;
}

static void verify(const struct cell *cell, enum inputs inputs, const void *reference, void *const operand[],
                   struct verdict *verdict)
{
    const struct product product = promised(cell, operand);
    product_verify(&product, inputs, reference, operand[C], verdict);
}

static void mark(const struct cell *cell, enum inputs inputs, void *const operand[], unsigned char *wrong)
{
    const struct product product = promised(cell, operand);
    product_mark(&product, inputs, operand[C], wrong);
}

static struct team_inputs team_inputs(const struct cell *cell, int operand, enum inputs inputs, uint64_t seed)
{
    return product_team_inputs(cell, cell->k, operand, inputs, seed);
}

static void team_judge(struct team_check *check, struct verdict *verdict)
{
    const struct product_team of = {.a = A, .b = B, .c = C};
    product_team_judge(check, &of, verdict);
}

static const struct team_problem team = {.inputs = team_inputs, .judge = team_judge};

const struct problem problem_matmul = {
    .name = "matmul",
    .summary = "product of two dense matrices",
    .formula = "C = AB",
    .title = "Matrix product",
    .title_ru = "Произведение матриц",
    .computes = "products $C=AB$",
    .computes_ru = "произведения $C=AB$",
    .baseline = "blas-*",
    .precisions = ALL_PRECISIONS,
    .axes = HONOURS(m) | HONOURS(n) | HONOURS(k),
    .operand_count = 3,
    .operand = {{"A", INPUT, shape_a, 1, 2}, {"B", INPUT, shape_b, 2, 3}, {"C", OUTPUT, shape_c, 1, 3}},
    .flops = flops,
    .bytes = bytes,
    .has_exact = has_exact,
    .has_special = has_special,
    .generate = generate,
    .reference = reference,
    .reference_free = product_reference_free,
    .verify = verify,
    .mark = mark,
    .team = &team,
};
