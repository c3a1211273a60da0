/* LU factorisation in place: the shapes, inputs, work and verification that all variants share.
 * SPDX-License-Identifier: MIT
 *
 * There are two contracts. Without pivoting, A is diagonally dominant by rows, so that elements grow at most by a
 * factor of 2. With partial pivoting, A is a general matrix, and the variant leaves the exchanges of rows in P. Factors
 * are judged by |A - LU| and by a residual, so that of equal candidates any may be the pivot. */
#include "cell.h"
#include "problem.h"
#include "verify.h"
#include "verify_team.h"
#include "verify/inputs.h"
#include "verify/signs.h"
#include "verify/special.h"

enum { A, P };

static void shape_a(const struct cell *cell, int64_t *rows, int64_t *cols)
{
    *rows = *cols = cell->n;
}

static void shape_p(const struct cell *cell, int64_t *rows, int64_t *cols)
{
    *rows = cell->n;
    *cols = 1;
}

static double flops(const struct cell *cell)
{
    const double n = (double)cell->n;
    return 2 * n * n * n / 3;
}

/* A factorisation must read A and write it. */
static double bytes(const struct cell *cell)
{
    return 2 * (double)cell->n * (double)cell->n * (double)cell_precision_size(cell->precision);
}

/* Every entry of a small product LU is compared, and 64 rows and columns of a large one. */
static double verify_flops(const struct cell *cell)
{
    const double n = (double)cell->n;
    return cell->n <= LU_WHOLE ? flops(cell) : 2 * 128 * n * n;
}

/* Rows of different magnitudes stay diagonally dominant. Only a variant with pivots chooses between candidates. */
static bool has_special(const struct cell *cell, enum inputs inputs)
{
    return inputs <= INPUTS_GRADED || (inputs == INPUTS_TIES && cell_meta(cell)->pivoting == PIVOTING_PARTIAL);
}

static void generate(const struct cell *cell, enum inputs inputs, uint64_t seed, void *const operand[])
{
    const struct variant *variant = cell_meta(cell);
    inputs_fill_matrix(operand[A], cell->n, cell->precision,
                       variant->pivoting == PIVOTING_NONE ? FAMILY_DOMINANT : FAMILY_GENERAL, inputs,
                       variant->column_major, seed, A);
    if (special_inputs(inputs))
        special_change_matrix(operand[A], cell->n, cell->precision, inputs, variant->column_major, seed, A);
}

static void *reference(const struct cell *cell, enum inputs inputs, uint64_t seed, void *const operand[])
{
    const struct variant *variant = cell_meta(cell);
    const struct factorisation of = {.precision = cell->precision,
                                     .n = cell->n,
                                     .column_major = variant->column_major,
                                     .pivoting = variant->pivoting,
                                     .exact = inputs == INPUTS_ZEROS,
                                     .a = operand[A]};
    return lu_verify_reference(&of, seed);
}

static void verify(const struct cell *cell, enum inputs inputs, const void *reference, void *const operand[],
                   struct verdict *verdict)
{
    (void)cell, (void)inputs;
    lu_verify(reference, operand[A], operand[P], verdict);
}

/* Where partial pivoting has put a row of A; n: nowhere, since the pivots are none. */
static int64_t row_after_pivots(const int32_t *pivots, int64_t n, int64_t row)
{
    for (int64_t i = 0; i < n; i++) {
        const int64_t with = (int64_t)pivots[i] - 1;
        if (with < i || with >= n)
            return n;
        row = row == i ? with : row == with ? i : row;
    }
    return row;
}

/* If D and F are diagonal matrices of signs and A = L U, then D A F = (D L D) (D U F). */
static void undo_signs(const struct cell *cell, const struct signs *signs, void *const operand[])
{
    const struct variant *variant = cell_meta(cell);
    const int64_t n = cell->n, down = variant->column_major ? 1 : n, right = variant->column_major ? n : 1;
    const int64_t col = signs->negative[1];
    int64_t row = signs->negative[0];
    if (row >= 0 && variant->pivoting == PIVOTING_PARTIAL)
        row = row_after_pivots(operand[P], n, row);
    if (row >= 0 && row < n) {
        const struct signs_line both[] = {{row * down, n, right}, {(row + 1) * down + row * right, n - 1 - row, down}};
        signs_negate(operand[A], cell->precision, &both[0]);
        signs_negate(operand[A], cell->precision, &both[1]);
    }
    if (col >= 0)
        signs_negate(operand[A], cell->precision, &(struct signs_line){col * right, col + 1, down});
}

const struct problem problem_lu = {
    .name = "lu",
    .summary = "LU factorisation of a dense matrix, in place",
    .formula = "A = LU",
    .title = "LU factorisation",
    .title_ru = "LU-разложение",
    .computes = "factorisations $A=LU$, with or without exchanges of rows (pivoting)",
    .computes_ru = "разложения $A=LU$ без выбора ведущего элемента и с выбором",
    .baseline = "blas-*",
    .precisions = FLOATS,
    .axes = HONOURS(n),
    .operand_count = 2,
    .operand = {{"A", INOUT, shape_a, 1, 2}, {"P", OUTPUT, shape_p}},
    .element_bytes = {[P] = sizeof(int32_t)},
    .flops = flops,
    .bytes = bytes,
    .has_special = has_special,
    .verify_flops = verify_flops,
    .generate = generate,
    .reference = reference,
    .reference_free = lu_verify_reference_free,
    .undo_signs = undo_signs,
    .verify = verify,
    .team = &lu_verify_team,
};
