/* What is wrong with a row of a product, in words.
 * SPDX-License-Identifier: MIT */
#include "product_blame.h"

#include "parallel.h"
#include "poison.h"

#include <math.h>
#include <stdlib.h>

/* The index at which C(row, j) is stored. */
static int64_t index_in_c(const struct product *product, int64_t row, int64_t j)
{
    return layout_index(product->c_layout, product->m, product->n, row, j);
}

/* Adds a(row, l) times row l of B to a row of C: `sum` in reals, `integer` in integers that wrap. */
static void add_term(const struct product *product, int64_t row, int64_t l, double *sum, uint64_t *integer)
{
    const double a = operand_value(product->a, product->precision, row * product->k + l);
    for (int64_t j = 0; j < product->n; j++) {
        const int64_t at = layout_index(product->b_layout, product->k, product->n, l, j);
        const double b = operand_value(product->b, product->precision, at);
        sum[j] += a * b;
        if (product->precision == I32)
            integer[j] += (uint64_t)(int64_t)a * (uint64_t)(int64_t)b;
    }
}

/* The right values of a row of C. i32 wraps. False if memory is short. */
static bool right_values(const struct product *product, int64_t row, double *right)
{
    uint64_t *integer = calloc((size_t)product->n, sizeof *integer);
    if (!integer)
        return false;
    for (int64_t j = 0; j < product->n; j++)
        right[j] = 0;
    for (int64_t l = 0; l < product->k; l++)
        add_term(product, row, l, right, integer);
    for (int64_t j = 0; j < product->n && product->precision == I32; j++)
        right[j] = (double)(int32_t)(uint32_t)integer[j];
    free(integer);
    return true;
}

static bool blame_unwritten(struct verdict *verdict, const struct product *product, const void *c, int64_t row)
{
    for (int64_t j = 0; j < product->n && product->precision != I32; j++) {
        const int64_t at = index_in_c(product, row, j);
        if (isfinite(operand_value(c, product->precision, at)))
            continue;
        snprintf(verdict->reason, sizeof verdict->reason, "C(%lld, %lld) %s", (long long)(at / product->n),
                 (long long)(at % product->n), poison_words(c, product->precision, at));
        return true;
    }
    return false;
}

static bool blame_furthest(struct verdict *verdict, const struct product *product, const void *c, int64_t row)
{
    double *right = malloc((size_t)product->n * sizeof *right), worst = 0;
    int64_t furthest = -1;
    if (right && right_values(product, row, right))
        for (int64_t j = 0; j < product->n; j++) {
            const double error = fabs(operand_value(c, product->precision, index_in_c(product, row, j)) - right[j]);
            if (error > worst) {
                worst = error;
                furthest = j;
            }
        }
    if (furthest >= 0) {
        const int64_t at = index_in_c(product, row, furthest);
        const double found = operand_value(c, product->precision, at);
        const char *text = "";
        if (product->precision == I32 && poison_is_left(c, I32, at))
            text = ": was it written?";
        else if (product->precision == I32 && poison_was_added_to((int32_t)found, (int32_t)right[furthest]))
            text = ": was it added to before it was set to zero?";
        snprintf(verdict->reason, sizeof verdict->reason, "C(%lld, %lld) is %.10g, not %.10g%s",
                 (long long)(at / product->n), (long long)(at % product->n), found, right[furthest], text);
    }
    free(right);
    return furthest >= 0;
}

void product_blame(struct verdict *verdict, const struct product *product, const void *c, int64_t row)
{
    if (!verdict->ok)
        return;
    verdict->ok = false;
    if (!blame_unwritten(verdict, product, c, row) && !blame_furthest(verdict, product, c, row))
        snprintf(verdict->reason, sizeof verdict->reason, "row %lld of C is wrong: C r differs from A (B r)",
                 (long long)row);
}

/* ---- All elements ---- */

struct marking {
    const struct product *product;
    double allowed;
    const void *c;
    unsigned char *wrong;
};

/* A row of |A||B|. */
static void scales(const struct product *product, int64_t row, double *scale)
{
    for (int64_t j = 0; j < product->n; j++)
        scale[j] = 0;
    for (int64_t l = 0; l < product->k; l++) {
        const double a = fabs(operand_value(product->a, product->precision, row * product->k + l));
        for (int64_t j = 0; j < product->n; j++) {
            const int64_t at = layout_index(product->b_layout, product->k, product->n, l, j);
            scale[j] += a * fabs(operand_value(product->b, product->precision, at));
        }
    }
}

static void mark_rows(int64_t begin, int64_t end, void *context)
{
    const struct marking *marking = context;
    const struct product *product = marking->product;
    double *right = malloc((size_t)product->n * sizeof *right), *scale = calloc((size_t)product->n, sizeof *scale);
    for (int64_t i = begin; right && scale && i < end && right_values(product, i, right); i++) {
        if (marking->allowed > 0)
            scales(product, i, scale);
        for (int64_t j = 0; j < product->n; j++) {
            const int64_t at = index_in_c(product, i, j);
            const double found = operand_value(marking->c, product->precision, at);
            /* In a matrix of which one triangle counts, two threads meet at (i, j) and (j, i), and find the same. */
            __atomic_store_n(&marking->wrong[at], !(fabs(found - right[j]) <= marking->allowed * scale[j]),
                             __ATOMIC_RELAXED);
        }
    }
    free(right);
    free(scale);
}

void product_blame_all(const struct product *product, double allowed, const void *c, unsigned char *wrong)
{
    struct marking marking = {product, allowed, c, wrong};
    parallel_for(product->m, mark_rows, &marking);
}
