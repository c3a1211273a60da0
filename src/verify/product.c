/* Verification of a matrix product in O(n^2) operations.
 * SPDX-License-Identifier: MIT
 *
 * Integers, and reals that hold integers: C r and A (B r) are compared for three vectors r. Both are computed in 64-bit
 * integers that wrap, so they must be equal.
 *
 * Random reals: 64 rows of C are compared entry by entry. Every row is compared by C r = A (B r), for three vectors r
 * of signs. Errors have the unit sqrt(k) u |A||B|. An entry may be off by 4 units, or by gamma_k / (sqrt(k) u) units if
 * these are fewer. If the variant rounds its inputs to u_in, 2 u_in / (sqrt(k) u) more units are allowed. */
#include "product.h"

#include "inputs.h"
#include "parallel.h"
#include "product_blame.h"
#include "product_freivalds.h"
#include "product_rows.h"
#include "special.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STREAM_VECTORS = 1000, STREAM_ROWS };

struct reference {
    int64_t rows;                   /* number of rows of C that are checked entry by entry */
    int64_t row[PRODUCT_ROWS];      /* numbers of these rows, ascending */
    double *high, *low;             /* their entries are high + low (rows x n) */
    double *scale;                  /* |A||B| for these entries */
    double *sign;                   /* r (n), for each of the vectors */
    double *image_high, *image_low; /* A (B r) = image_high + image_low (m), for each of the vectors */
    double *row_scale;              /* |A| (|B| 1), where 1 is the vector of ones (m) */
    uint64_t *vector, *image;       /* r (n) and A (B r) (m) in integers, for each of the vectors */
    struct special_reference *special;
};

static bool in_integers(const struct product *product, enum inputs inputs)
{
    return product->precision == I32 || inputs == INPUTS_EXACT || inputs == INPUTS_ZEROS;
}

void product_fill(void *to, int64_t rows, int64_t cols, int64_t precision, int64_t k, enum inputs inputs, uint64_t seed,
                  uint32_t stream)
{
    if (special_inputs(inputs))
        special_fill(to, rows, cols, precision, inputs, seed, stream);
    else
        inputs_fill_factor(to, rows * cols, precision, k, inputs, seed, stream);
}

/* --- Reference --- */

static double *reals(int64_t count)
{
    return malloc((size_t)count * sizeof(double));
}

static uint64_t *integers(int64_t count)
{
    return malloc((size_t)count * sizeof(uint64_t));
}

static bool make_integer_images(struct reference *reference, const struct product *product, uint64_t seed)
{
    const int64_t m = product->m, n = product->n, k = product->k;
    uint64_t *middle = integers(CHECK_VECTORS * k);
    reference->vector = integers(CHECK_VECTORS * n);
    reference->image = integers(CHECK_VECTORS * m);
    const bool ok = middle && reference->vector && reference->image;

    if (ok) {
        for (int64_t i = 0; i < CHECK_VECTORS * n; i++)
            reference->vector[i] = inputs_bits(seed, STREAM_VECTORS, (uint64_t)i);
        /* An odd factor loses no bit of a wrong element, whatever the modulus is. */
        for (int64_t i = 0; i < CHECK_VECTORS * n; i += CHECK_VECTORS)
            reference->vector[i] |= 1;
        product_freivalds((struct product_freivalds){
            .matrix = product->b,
            .layout = product->b_layout,
            .precision = product->precision,
            .rows = k,
            .cols = n,
            .factor = reference->vector,
            .product = middle,
        });
        product_freivalds((struct product_freivalds){
            .matrix = product->a,
            .precision = product->precision,
            .rows = m,
            .cols = k,
            .factor = middle,
            .product = reference->image,
        });
    }
    free(middle);
    return ok;
}

static bool make_real_images(struct reference *reference, const struct product *product, uint64_t seed)
{
    const int64_t m = product->m, n = product->n, k = product->k;
    double *high = reals(CHECK_VECTORS * k), *low = reals(CHECK_VECTORS * k), *weight = reals(k);
    reference->sign = reals(CHECK_VECTORS * n);
    reference->image_high = reals(CHECK_VECTORS * m);
    reference->image_low = reals(CHECK_VECTORS * m);
    reference->row_scale = reals(m);
    const bool ok = high && low && weight && reference->sign && reference->image_high && reference->image_low &&
                    reference->row_scale;

    if (ok) {
        for (int64_t i = 0; i < CHECK_VECTORS * n; i++)
            reference->sign[i] = inputs_bits(seed, STREAM_VECTORS, (uint64_t)i) & 1 ? 1 : -1;
        product_freivalds((struct product_freivalds){
            .matrix = product->b,
            .layout = product->b_layout,
            .precision = product->precision,
            .rows = k,
            .cols = n,
            .factor_high = reference->sign,
            .product_high = high,
            .product_low = low,
            .weighted = weight,
        });
        product_freivalds((struct product_freivalds){
            .matrix = product->a,
            .precision = product->precision,
            .rows = m,
            .cols = k,
            .factor_high = high,
            .factor_low = low,
            .product_high = reference->image_high,
            .product_low = reference->image_low,
            .weight = weight,
            .weighted = reference->row_scale,
        });
    }
    free(high);
    free(low);
    free(weight);
    return ok;
}

struct chosen {
    const struct product *product;
    const int64_t *row;
    double by; /* a power of two that brings the elements near to 1 */
};

static double chosen_a(const void *context, int64_t row, int64_t l)
{
    const struct chosen *chosen = context;
    const struct product *product = chosen->product;
    return operand_value(product->a, product->precision, chosen->row[row] * product->k + l) * chosen->by;
}

static double chosen_b(const void *context, int64_t l, int64_t col)
{
    const struct chosen *chosen = context;
    const struct product *product = chosen->product;
    const int64_t at = layout_index(product->b_layout, product->k, product->n, l, col);
    return operand_value(product->b, product->precision, at) * chosen->by;
}

static bool make_rows(struct reference *reference, const struct product *product, enum inputs inputs, uint64_t seed)
{
    reference->rows = product_rows_choose(product->m, seed, STREAM_ROWS, reference->row);
    const int64_t count = reference->rows * product->n;
    const double scale = inputs == INPUTS_SMALL ? INPUTS_SMALL_SCALE : 1;
    const struct chosen chosen = {product, reference->row, 1 / scale};
    const struct product_rows rows = {.precision = product->precision,
                                      .rows = reference->rows,
                                      .k = product->k,
                                      .n = product->n,
                                      .x = chosen_a,
                                      .y = chosen_b,
                                      .context = &chosen};
    reference->high = reals(count);
    reference->low = reals(count);
    reference->scale = reals(count);
    if (!reference->high || !reference->low || !reference->scale ||
        !product_rows_multiply(&rows, reference->high, reference->low, reference->scale))
        return false;
    for (int64_t i = 0; i < count && scale < 1; i++) {
        reference->high[i] *= scale * scale;
        reference->low[i] *= scale * scale;
        reference->scale[i] *= scale * scale;
    }
    return true;
}

void *product_reference(const struct product *product, enum inputs inputs, uint64_t seed)
{
    struct reference *reference = calloc(1, sizeof *reference);
    if (!reference)
        return NULL;
    bool made;
    if (special_inputs(inputs))
        made = (reference->special = special_reference(product, seed)) != NULL;
    else if (in_integers(product, inputs))
        made = make_integer_images(reference, product, seed);
    else
        made = make_real_images(reference, product, seed) && make_rows(reference, product, inputs, seed);
    if (made)
        return reference;
    product_reference_free(reference);
    return NULL;
}

void product_reference_free(void *memory)
{
    struct reference *reference = memory;
    if (!reference)
        return;
    free(reference->high);
    free(reference->low);
    free(reference->scale);
    free(reference->sign);
    free(reference->image_high);
    free(reference->image_low);
    free(reference->row_scale);
    free(reference->vector);
    free(reference->image);
    special_reference_free(reference->special);
    free(reference);
}

/* --- Verdict --- */

/* The index at which C(i, j) is stored. */
static int64_t index_in_c(const struct product *product, int64_t i, int64_t j)
{
    return layout_index(product->c_layout, product->m, product->n, i, j);
}

static double total(const double *parts, int64_t count)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += parts[i];
    return sum;
}

static bool verify_integers(const struct product *product, const struct reference *reference, const void *c,
                            struct verdict *verdict)
{
    const int64_t m = product->m;
    uint64_t *image = integers(CHECK_VECTORS * m);
    double *norm2 = reals(m);
    bool *integral = malloc((size_t)m * sizeof *integral);
    const bool ok = image && norm2 && integral;

    if (ok) {
        const uint64_t modulus = product->precision == I32 ? UINT32_MAX : UINT64_MAX;
        product_freivalds((struct product_freivalds){
            .matrix = c,
            .layout = product->c_layout,
            .precision = product->precision,
            .rows = m,
            .cols = product->n,
            .factor = reference->vector,
            .product = image,
            .norm2 = norm2,
            .integral = integral,
        });
        for (int64_t i = 0; i < CHECK_VECTORS * m; i++)
            if (!integral[i / CHECK_VECTORS] || (image[i] & modulus) != (reference->image[i] & modulus)) {
                product_blame(verdict, product, c, i / CHECK_VECTORS);
                verdict->error = NAN;
                break;
            }
        verdict->norm2 = total(norm2, m);
    }
    free(image);
    free(norm2);
    free(integral);
    return ok;
}

/* The ratio of an error to the allowed error: at most 1 is right. The ratio of a NaN is infinite. */
static inline double excess(double error, double allowed)
{
    if (error <= allowed)
        return allowed > 0 ? error / allowed : 0;
    return error > allowed && allowed > 0 ? error / allowed : INFINITY;
}

struct entries {
    const struct product *product;
    const struct reference *reference;
    const void *c;
    double allowed; /* the allowed error, in units of |A||B| */
    double worst[PRODUCT_ROWS];
    int64_t worst_col[PRODUCT_ROWS];
};

static void check_entries(int64_t begin, int64_t end, void *context)
{
    struct entries *entries = context;
    const struct reference *reference = entries->reference;
    const int64_t n = entries->product->n;

    for (int64_t i = begin; i < end; i++) {
        entries->worst[i] = -1;
        for (int64_t j = 0; j < n; j++) {
            const int64_t at = i * n + j;
            const double found = operand_value(entries->c, entries->product->precision,
                                               index_in_c(entries->product, reference->row[i], j));
            const double error = fabs((found - reference->high[at]) - reference->low[at]);
            const double ratio = excess(error, entries->allowed * reference->scale[at]);
            if (ratio > entries->worst[i]) {
                entries->worst[i] = ratio;
                entries->worst_col[i] = j;
            }
        }
    }
}

/* Compares the chosen rows entry by entry. Returns the largest ratio of an error to the allowed error. */
static double verify_entries(const struct product *product, const struct reference *reference, const void *c,
                             double allowed, struct verdict *verdict)
{
    struct entries entries = {product, reference, c, allowed, {0}, {0}};
    int64_t worst = 0;

    if (reference->rows * product->n > PRODUCT_SHARE)
        parallel_for(reference->rows, check_entries, &entries);
    else
        check_entries(0, reference->rows, &entries);
    for (int64_t i = 1; i < reference->rows; i++)
        if (entries.worst[i] > entries.worst[worst])
            worst = i;
    if (entries.worst[worst] <= 1)
        return entries.worst[worst];

    const int64_t col = entries.worst_col[worst];
    const int64_t stored = index_in_c(product, reference->row[worst], col);
    const double found = operand_value(c, product->precision, stored);
    if (!isfinite(found)) {
        product_blame(verdict, product, c, reference->row[worst]);
        return INFINITY;
    }
    verdict->ok = false;
    snprintf(verdict->reason, sizeof verdict->reason, "C(%lld, %lld) is %.9g, not %.9g: %.3g times the error allowed",
             (long long)(stored / product->n), (long long)(stored % product->n), found,
             reference->high[worst * product->n + col], entries.worst[worst]);
    return entries.worst[worst];
}

/* Compares C r with A (B r) for all rows. *worst becomes the largest ratio of an error to the allowed error. Returns
 * false if memory is short. */
static bool verify_images(const struct product *product, const struct reference *reference, const void *c,
                          double allowed, struct verdict *verdict, double *worst)
{
    const int64_t m = product->m;
    double *high = reals(CHECK_VECTORS * m), *low = reals(CHECK_VECTORS * m), *norm2 = reals(m);
    const bool ok = high && low && norm2;

    *worst = 0;
    if (ok) {
        product_freivalds((struct product_freivalds){
            .matrix = c,
            .layout = product->c_layout,
            .precision = product->precision,
            .rows = m,
            .cols = product->n,
            .factor_high = reference->sign,
            .product_high = high,
            .product_low = low,
            .norm2 = norm2,
        });
        for (int64_t i = 0; i < CHECK_VECTORS * m; i++) {
            const double error = fabs((high[i] - reference->image_high[i]) + (low[i] - reference->image_low[i]));
            const double ratio = excess(error, allowed * reference->row_scale[i / CHECK_VECTORS]);
            if (!(ratio <= 1))
                product_blame(verdict, product, c, i / CHECK_VECTORS);
            if (ratio > *worst)
                *worst = ratio;
        }
        verdict->norm2 = total(norm2, m);
    }
    free(high);
    free(low);
    free(norm2);
    return ok;
}

static double roundoff(const struct product *product)
{
    return product->precision == F32 ? 0x1p-24 : 0x1p-53;
}

/* The error that an entry may have, in units of |A||B|. Only the rigorous bound holds for constant inputs, whose
 * rounding errors may all have one sign. */
static double allowed_error(const struct product *product, enum inputs inputs)
{
    const double k = (double)product->k, u = roundoff(product);
    const double gamma = k * u < 1 ? k * u / (1 - k * u) : INFINITY;
    return (inputs == INPUTS_CONSTANT ? gamma : fmin(gamma, 4 * sqrt(k) * u)) + 2 * product->input_roundoff;
}

static bool verify_reals(const struct product *product, const struct reference *reference, const void *c,
                         struct verdict *verdict)
{
    const double k = (double)product->k, n = (double)product->n, u_in = product->input_roundoff;
    const double u = roundoff(product), entry_allowed = allowed_error(product, INPUTS_RANDOM);
    /* The rounding errors of a row's entries are independent, so that their sum grows only as sqrt(n). The rounding of
     * an element of A affects the whole row, which has only k independent errors of this kind. */
    const double row_allowed = (4 * sqrt(k) * u + 2 * u_in * (1 + 4 / sqrt(k))) / sqrt(n);
    double worst_row;

    const double worst_entry = verify_entries(product, reference, c, entry_allowed, verdict);
    if (!verify_images(product, reference, c, row_allowed, verdict, &worst_row))
        return false;
    /* If only the check of rows fails, the error is reported in the same units. */
    const double worst = worst_row > 1 ? fmax(worst_entry, worst_row) : worst_entry;
    verdict->bound = entry_allowed / (sqrt(k) * u);
    verdict->error = isfinite(worst) ? worst * verdict->bound : NAN;
    return true;
}

void product_verify(const struct product *product, enum inputs inputs, const void *reference, const void *c,
                    struct verdict *verdict)
{
    *verdict = (struct verdict){.ok = true, .error = 0, .bound = 0, .norm2 = NAN};
    if (special_inputs(inputs)) {
        const double allowed = allowed_error(product, inputs);
        verdict->bound = allowed / (sqrt((double)product->k) * roundoff(product));
        special_verify(product, ((const struct reference *)reference)->special, c, allowed, verdict);
        return;
    }
    const bool done = in_integers(product, inputs) ? verify_integers(product, reference, c, verdict)
                                                   : verify_reals(product, reference, c, verdict);
    if (!done)
        verdict_no_memory(verdict);
}

void product_mark(const struct product *product, enum inputs inputs, const void *c, unsigned char *wrong)
{
    /* The values that C is compared with are rounded too. */
    const double allowed = in_integers(product, inputs) ? 0 : 2 * allowed_error(product, inputs);
    if (!special_inputs(inputs))
        product_blame_all(product, allowed, c, wrong);
}
