/* The problem NAME: what every variant of it gets and must give. This one is B = A', the transpose of a square matrix.
 * Change it to yours: the operands, their inputs, what a run needs, and the check of a result.
 * src/problem.h of tilelab explains each field, and src/verify/ has checks for products. */
#include "cell.h"
#include "problem.h"
#include "verify/inputs.h"

enum { A, B }; /* the places of the operands */

/* Every operand is n x n here. Sizes come from the cell, one point of the grid of a study. */
static void shape(const struct cell *cell, int64_t *rows, int64_t *cols)
{
    *rows = *cols = cell->n;
}

/* The operations that one run needs, for GFLOP/s. A transpose only moves elements; each counts as one here. */
static double flops(const struct cell *cell)
{
    return (double)cell->n * (double)cell->n;
}

/* The bytes that one run must read and write, each operand once, for the share of the memory's bandwidth. */
static double bytes(const struct cell *cell)
{
    return 2.0 * (double)cell->n * (double)cell->n * (double)cell_precision_size(cell->precision);
}

/* Fills the inputs, the same for the same seed. Each input has a number of its own, here A. */
static void generate(const struct cell *cell, enum inputs inputs, uint64_t seed, void *const operand[])
{
    (void)inputs;
    inputs_fill_integers(operand[A], cell->n * cell->n, cell->precision, seed, A, -1000, 1000);
}

/* Judges a result. Comparisons are written so that NaN fails, which fills each output before a run. */
static void verify(const struct cell *cell, enum inputs inputs, const void *reference, void *const operand[],
                   struct verdict *verdict)
{
    (void)inputs, (void)reference;
    const int64_t n = cell->n;
    *verdict = (struct verdict){.ok = true, .error = 0, .bound = 0, .norm2 = NAN};
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            if (!(operand_value(operand[B], cell->precision, i * n + j) ==
                  operand_value(operand[A], cell->precision, j * n + i))) {
                verdict_fail(verdict, "element (%lld, %lld) is wrong", (long long)i, (long long)j);
                return;
            }
}

const struct problem problem_NAME = {
    .name = "NAME",
    .summary = "transpose of a square matrix",
    .formula = "B = A^T", /* in LaTeX */
    .title = "The problem NAME",
    .computes = "transposes $B=A^T$",
    .baseline = "seq", /* the variant that others are compared with, or a pattern */
    .precisions = ALL_PRECISIONS,
    .axes = HONOURS(n),
    .operand_count = 2,
    /* Each run has inputs with other signs: vectors 1 and 2 change the signs of rows and columns. */
    .operand = {[A] = {"A", INPUT, shape, 1, 2}, [B] = {"B", OUTPUT, shape, 2, 1}},
    .flops = flops,
    .bytes = bytes,
    .generate = generate,
    .verify = verify,
};
