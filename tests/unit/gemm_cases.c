/* The products of common/gemm.h, compared with plain loops in one build. The inputs are small integers, so that every
 * order of summation gives the same bits.
 * SPDX-License-Identifier: MIT */
#include "gemm_cases.h"

#include "common/gemm.h"

/* A matrix whose rows are followed by unused elements, which a product must leave as they are. `row`: elements from
 * one row to the next. */
struct matrix {
    int64_t rows, columns, row;
    real *element;
};

enum { SLACK = 5 };

static struct matrix matrix_new(int64_t rows, int64_t columns, unsigned seed)
{
    struct matrix matrix = {rows, columns, columns + SLACK, NULL};
    /* Nothing follows the last row, so that a sanitizer sees every access past the matrix. */
    const int64_t count = (rows - 1) * matrix.row + columns;
    matrix.element = malloc((size_t)count * sizeof *matrix.element);
    for (int64_t i = 0; matrix.element && i < count; i++) {
        seed = seed * 1103515245u + 12345u;
        matrix.element[i] = (real)((int)(seed >> 16) % 17) - (real)8;
    }
    return matrix;
}

static real expected_at(const struct gemm_product *product, int64_t i, int64_t j, real before)
{
    real sum = 0;
    for (int64_t l = 0; l < product->k; l++)
        sum += product->a.element[i * product->a.row + l * product->a.column] *
               product->b.element[l * product->b.row + j * product->b.column];
    return product->update == GEMM_SET ? sum : product->update == GEMM_ADD ? before + sum : before - sum;
}

static bool is_right(const struct gemm_product *product, const struct matrix *c, const real *before)
{
    for (int64_t i = 0; i < c->rows; i++)
        for (int64_t j = 0; j < c->row; j++) {
            const int64_t at = i * c->row + j;
            if (i == c->rows - 1 && j >= c->columns)
                break;
            if (product->lower && j > i && j < c->columns)
                continue;
            const real expected = j < c->columns ? expected_at(product, i, j, before[at]) : before[at];
            if (!(c->element[at] == expected))
                return false;
        }
    return true;
}

static bool case_is_right(const struct gemm_case *at)
{
    const struct cell cell = {.mc = at->mc, .nc = at->nc, .kc = at->kc};
    struct job job = {.cell = &cell};
    struct gemm *gemm = gemm_new(&job, at->m, at->n, at->k);
    struct matrix a = at->a_transposed ? matrix_new(at->k, at->m, 1) : matrix_new(at->m, at->k, 1);
    struct matrix b = at->b_transposed ? matrix_new(at->n, at->k, 2) : matrix_new(at->k, at->n, 2);
    struct matrix c = matrix_new(at->m, at->n, 3), before = matrix_new(at->m, at->n, 3);
    const struct gemm_product product = {
        .m = at->m,
        .n = at->n,
        .k = at->k,
        .a = {a.element, at->a_transposed ? 1 : a.row, at->a_transposed ? a.row : 1},
        .b = {b.element, at->b_transposed ? 1 : b.row, at->b_transposed ? b.row : 1},
        .c = c.element,
        .c_row = c.row,
        .update = (enum gemm_update)at->update,
        .lower = at->lower,
    };
    bool right = gemm && a.element && b.element && c.element && before.element;
    if (right) {
        gemm_multiply(gemm, &product);
        right = is_right(&product, &c, before.element);
    }
    free(a.element);
    free(b.element);
    free(c.element);
    free(before.element);
    gemm_free(gemm);
    return right;
}

bool TILELAB_JOIN(gemm, cases, TILELAB_BUILD)(struct gemm_case *failed)
{
    /* These sizes lie around the edges of register tiles (6 x 4 to 12 x 32 elements) and of blocks. */
    static const int64_t sizes[][3] = {{1, 1, 1},     {5, 3, 2},    {6, 4, 7},    {12, 32, 8},
                                       {13, 33, 5},   {31, 67, 70}, {130, 3, 9},  {3, 130, 12},
                                       {13, 35, 131}, {258, 5, 9},  {5, 259, 12}, {100, 128, 33}};
    /* Small blocks make every loop iterate more than once; 0: gemm.h chooses the block for the caches. */
    static const int64_t blocks[][3] = {{0, 0, 0}, {1, 1, 5}, {24, 64, 65}};
    enum { CHOICES = 3 * 2 * 2 * 2 };
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++)
            for (int choice = 0; choice < CHOICES; choice++) {
                const struct gemm_case at = {
                    .m = sizes[s][0],
                    .n = sizes[s][1],
                    .k = sizes[s][2],
                    .mc = blocks[b][0],
                    .nc = blocks[b][1],
                    .kc = blocks[b][2],
                    .update = choice % 3,
                    .a_transposed = choice / 3 % 2,
                    .b_transposed = choice / 6 % 2,
                    .lower = choice / 12 % 2,
                };
                *failed = at;
                if (!case_is_right(&at))
                    return false;
            }
    return true;
}
