/* Random inputs from a counter.
 * SPDX-License-Identifier: MIT */
#include "inputs.h"

#include "cell.h"
#include "parallel.h"
#include "base/random.h"

#include <math.h>
#include <string.h>

/* A thread fills so many elements at a time: enough to pay for the thread, and few enough to share evenly. */
enum { BLOCK = 1 << 15 };

uint64_t inputs_key(uint64_t seed, uint32_t stream)
{
    return random_key(seed, stream);
}

uint64_t inputs_bits(uint64_t seed, uint32_t stream, uint64_t counter)
{
    return random_bits(random_key(seed, stream), counter);
}

double inputs_uniform(uint64_t seed, uint32_t stream, uint64_t counter)
{
    return random_uniform(random_key(seed, stream), counter);
}

int64_t inputs_integer(uint64_t seed, uint32_t stream, uint64_t counter, int64_t low, int64_t high)
{
    return random_integer(random_key(seed, stream), counter, low, (uint64_t)high - (uint64_t)low + 1);
}

/* Nearly normal, with the standard deviation 1/8 and within [-0.75, 0.75): the sum of twelve uniform numbers. A sum is
 * the same on every machine, and logarithms and cosines are not. */
static double normal(uint64_t key, uint64_t counter)
{
    enum { TERMS = 12 };
    double sum = 0;
    for (uint64_t i = 0; i < TERMS; i++)
        sum += random_uniform(key, TERMS * counter + i);
    return sum / 16;
}

struct fill {
    void *to;
    int64_t count, precision;
    uint64_t key;
    int64_t low;
    uint64_t values;    /* number of different integers; 0: the elements are reals */
    double half, shift; /* a real is half * (uniform + shift) */
    bool normal;        /* a real has a normal distribution */
};

#define FILL_EACH(type, value) \
    for (int64_t i = begin; i < end; i++) \
    ((type *)fill->to)[i] = (type)(value)

static void fill_uniform(const struct fill *fill, int64_t begin, int64_t end)
{
    const uint64_t key = fill->key;
    const double half = fill->half, shift = fill->shift;
    if (fill->precision == F32)
        FILL_EACH(float, half *(random_uniform(key, (uint64_t)i) + shift));
    else
        FILL_EACH(double, half *(random_uniform(key, (uint64_t)i) + shift));
}

static void fill_normal(const struct fill *fill, int64_t begin, int64_t end)
{
    const uint64_t key = fill->key;
    if (fill->precision == F32)
        FILL_EACH(float, normal(key, (uint64_t)i));
    else
        FILL_EACH(double, normal(key, (uint64_t)i));
}

static void fill_integers(const struct fill *fill, int64_t begin, int64_t end)
{
    const uint64_t key = fill->key, values = fill->values;
    const int64_t low = fill->low;
    if (fill->precision == F32)
        FILL_EACH(float, random_integer(key, (uint64_t)i, low, values));
    else if (fill->precision == F64)
        FILL_EACH(double, random_integer(key, (uint64_t)i, low, values));
    else
        FILL_EACH(int32_t, random_integer(key, (uint64_t)i, low, values));
}

static void fill_blocks(int64_t begin, int64_t end, void *context)
{
    const struct fill *fill = context;
    const int64_t first = begin * BLOCK;
    const int64_t last = end * BLOCK < fill->count ? end * BLOCK : fill->count;
    if (fill->values)
        fill_integers(fill, first, last);
    else if (fill->normal)
        fill_normal(fill, first, last);
    else
        fill_uniform(fill, first, last);
}

static void fill_all(struct fill fill)
{
    parallel_for((fill.count + BLOCK - 1) / BLOCK, fill_blocks, &fill);
}

void inputs_fill_uniform(void *to, int64_t count, int64_t precision, uint64_t seed, uint32_t stream)
{
    fill_all((struct fill){to, count, precision, random_key(seed, stream), .half = 1});
}

void inputs_fill_positive(void *to, int64_t count, int64_t precision, double below, uint64_t seed, uint32_t stream)
{
    fill_all((struct fill){to, count, precision, random_key(seed, stream), .half = below / 2, .shift = 1});
}

void inputs_fill_integers(void *to, int64_t count, int64_t precision, uint64_t seed, uint32_t stream, int64_t low,
                          int64_t high)
{
    fill_all((struct fill){to, count, precision, random_key(seed, stream), low, (uint64_t)high - (uint64_t)low + 1,
                           .half = 0});
}

/* --- Square matrices --- */

struct matrix {
    void *to;
    int64_t n, precision;
    uint64_t key;
    enum family family;
    enum inputs inputs;
    bool column_major;
};

static double element(const struct matrix *matrix, int64_t row, int64_t col)
{
    const uint64_t counter = (uint64_t)(row * matrix->n + col);
    const bool dominant = matrix->family == FAMILY_DOMINANT;
    if (matrix->inputs == INPUTS_ZEROS)
        return row == col;
    if (matrix->inputs == INPUTS_EXACT)
        return (double)random_integer(matrix->key, counter, dominant ? 0 : -1000, dominant ? 51 : 2001);
    const double symmetric =
        matrix->inputs == INPUTS_NORMAL ? normal(matrix->key, counter) : random_uniform(matrix->key, counter);
    const double value =
        (dominant ? 25 * (symmetric + 1) : symmetric) * (matrix->inputs == INPUTS_SMALL ? INPUTS_SMALL_SCALE : 1);
    return matrix->precision == F32 ? (double)(float)value : value;
}

static double dominant_diagonal(const struct matrix *matrix, int64_t row)
{
    double sum = matrix->inputs == INPUTS_SMALL ? INPUTS_SMALL_SCALE : 1;
    for (int64_t col = 0; col < matrix->n; col++)
        sum += col == row ? 0 : fabs(element(matrix, row, col));
    return sum;
}

/* Fills lines in their order in memory: rows, or columns of a column-major matrix. */
static void fill_lines(int64_t begin, int64_t end, void *context)
{
    const struct matrix *matrix = context;
    const int64_t n = matrix->n;
    for (int64_t line = begin; line < end; line++)
        for (int64_t i = 0; i < n; i++) {
            const int64_t row = matrix->column_major ? i : line;
            const int64_t col = matrix->column_major ? line : i;
            const double value = matrix->family == FAMILY_DOMINANT && row == col ? dominant_diagonal(matrix, row)
                                                                                 : element(matrix, row, col);
            if (matrix->precision == F32)
                ((float *)matrix->to)[line * n + i] = (float)value;
            else
                ((double *)matrix->to)[line * n + i] = value;
        }
}

void inputs_fill_matrix(void *to, int64_t n, int64_t precision, enum family family, enum inputs inputs,
                        bool column_major, uint64_t seed, uint32_t stream)
{
    struct matrix matrix = {to, n, precision, random_key(seed, stream), family, inputs, column_major};
    parallel_for(n, fill_lines, &matrix);
}

/* --- Factors of products --- */

/* With the limit 1000, the inputs are exact in formats of 11 bits too, such as TF32. */
int64_t inputs_exact_magnitude(int64_t precision, int64_t k)
{
    const double largest_sum = (precision == F32 ? 0x1p24 : 0x1p53) - 1;
    const double magnitude = floor(sqrt(largest_sum / (double)k));
    return magnitude < 1000 ? (int64_t)magnitude : 1000;
}

bool inputs_factor_has_exact(int64_t precision, int64_t k)
{
    return precision != I32 && inputs_exact_magnitude(precision, k) > 0;
}

void inputs_fill_factor(void *to, int64_t count, int64_t precision, int64_t k, enum inputs inputs, uint64_t seed,
                        uint32_t stream)
{
    const struct fill reals = {.to = to,
                               .count = count,
                               .precision = precision,
                               .key = random_key(seed, stream),
                               .half = inputs == INPUTS_SMALL ? INPUTS_SMALL_SCALE : 1,
                               .normal = inputs == INPUTS_NORMAL};
    if (inputs == INPUTS_ZEROS) {
        memset(to, 0, (size_t)count * cell_precision_size(precision));
    } else if (precision == I32) {
        inputs_fill_integers(to, count, I32, seed, stream, -50, 50);
    } else if (inputs == INPUTS_EXACT) {
        const int64_t most = inputs_exact_magnitude(precision, k);
        inputs_fill_integers(to, count, precision, seed, stream, -most, most);
    } else {
        fill_all(reals);
    }
}
