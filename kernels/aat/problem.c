/* A matrix times its own transpose: shapes, inputs, work and verification, which all its variants share.
 * SPDX-License-Identifier: MIT */
#include "cell.h"
#include "problem.h"
#include "verify/inputs.h"
#include "verify/parallel.h"
#include "verify/product.h"
#include "verify/product_team.h"

#include <stdlib.h>
#include <string.h>

enum { A, C };

static void shape_a(const struct cell *cell, int64_t *rows, int64_t *cols)
{
    *rows = cell->n;
    *cols = cell->k;
}

static void shape_c(const struct cell *cell, int64_t *rows, int64_t *cols)
{
    *rows = cell->n;
    *cols = cell->n;
}

/* One triangle, with the diagonal. */
static double flops(const struct cell *cell)
{
    return (double)cell->n * (double)(cell->n + 1) * (double)cell->k;
}

static double whole_flops(const struct cell *cell)
{
    return 2.0 * (double)cell->n * (double)cell->n * (double)cell->k;
}

static double bytes(const struct cell *cell)
{
    const double n = (double)cell->n, k = (double)cell->k;
    return (n * k + n * n) * (double)cell_precision_size(cell->precision);
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
    product_fill(operand[A], cell->n, cell->k, cell->precision, cell->k, inputs, seed, A);
}

/* A A^T as a product of A and A, the second factor read transposed. */
static struct product product_of(const struct cell *cell, void *const operand[])
{
    return (struct product){.precision = cell->precision,
                            .m = cell->n,
                            .n = cell->n,
                            .k = cell->k,
                            .a = operand[A],
                            .b = operand[A],
                            .b_layout = LAYOUT_TRANSPOSED};
}

static void *reference(const struct cell *cell, enum inputs inputs, uint64_t seed, void *const operand[])
{
    const struct product product = product_of(cell, operand);
    return product_reference(&product, inputs, seed);
}

/* --- Whether both triangles are equal, bit for bit --- */

enum { MIRROR_TILE = 64 }; /* a tile and its mirror image stay in the first-level cache */

struct mirror {
    const char *c;
    int64_t n;
    size_t size;
    int64_t *first; /* of each row of tiles: the first index i n + j with j < i whose mirror image differs; or n^2 */
};

static void compare_tiles(const struct mirror *mirror, int64_t first_row, int64_t first_col, int64_t *first)
{
    const int64_t n = mirror->n;
    for (int64_t i = first_row; i < n && i < first_row + MIRROR_TILE; i++)
        for (int64_t j = first_col; j < i && j < first_col + MIRROR_TILE; j++) {
            const char *lower = mirror->c + (size_t)(i * n + j) * mirror->size;
            const char *upper = mirror->c + (size_t)(j * n + i) * mirror->size;
            if (i * n + j < *first && memcmp(lower, upper, mirror->size) != 0)
                *first = i * n + j;
        }
}

static void compare_rows_of_tiles(int64_t begin, int64_t end, void *context)
{
    const struct mirror *mirror = context;
    for (int64_t tile = begin; tile < end; tile++) {
        mirror->first[tile] = mirror->n * mirror->n;
        for (int64_t col = 0; col <= tile * MIRROR_TILE; col += MIRROR_TILE)
            compare_tiles(mirror, tile * MIRROR_TILE, col, &mirror->first[tile]);
    }
}

static void verify_mirrored(const struct cell *cell, const void *c, struct verdict *verdict)
{
    const int64_t n = cell->n, tiles = (n + MIRROR_TILE - 1) / MIRROR_TILE;
    struct mirror mirror = {.c = c, .n = n, .size = cell_precision_size(cell->precision)};
    mirror.first = malloc((size_t)tiles * sizeof *mirror.first);
    int64_t first = n * n;
    if (mirror.first) {
        parallel_for(tiles, compare_rows_of_tiles, &mirror);
        for (int64_t tile = 0; tile < tiles && first == n * n; tile++)
            first = mirror.first[tile];
    }
    if (mirror.first && first == n * n) {
        free(mirror.first);
        return;
    }
    if (mirror.first)
        verdict_fail(verdict, "C(%lld, %lld) is not bit for bit C(%lld, %lld), its mirror image",
                     (long long)(first / n), (long long)(first % n), (long long)(first % n), (long long)(first / n));
    else
        verdict_no_memory(verdict);
    free(mirror.first);
}

/* The product with what its variant promises. */
static struct product promised(const struct cell *cell, void *const operand[])
{
    const struct variant *variant = cell_meta(cell);
    struct product product = product_of(cell, operand);
    product.input_roundoff = variant->input_roundoff;
    product.input_floor = variant->input_floor;
    if (variant->symmetry == SYMMETRY_LOWER)
        product.c_layout = LAYOUT_LOWER;
    return product;
}

static void verify(const struct cell *cell, enum inputs inputs, const void *reference, void *const operand[],
                   struct verdict *verdict)
{
    const struct product product = promised(cell, operand);
    product_verify(&product, inputs, reference, operand[C], verdict);
    if (verdict->ok && cell_meta(cell)->symmetry == SYMMETRY_MIRRORED)
        verify_mirrored(cell, operand[C], verdict);
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
    const struct product_team of = {
        .a = A, .b = A, .c = C, .lower = cell_meta(check->cell)->symmetry == SYMMETRY_LOWER};
    product_team_judge(check, &of, verdict);
}

static const struct team_problem team = {.inputs = team_inputs, .judge = team_judge};

const struct problem problem_aat = {
    .name = "aat",
    .summary = "product of a dense matrix and its own transpose",
    .formula = "C = AA^{T}",
    .title = "Matrix times its transpose",
    .title_ru = "Произведение матрицы на транспонированную",
    .computes = "products $C=AA^T$",
    .computes_ru = "произведения $C=AA^T$",
    .baseline = "blas-*",
    .precisions = FLOATS,
    .axes = HONOURS(n) | HONOURS(k),
    .operand_count = 2,
    .operand = {{"A", INPUT, shape_a, 1, 2}, {"C", OUTPUT, shape_c, 1, 1}},
    .flops = flops,
    .whole_flops = whole_flops,
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
