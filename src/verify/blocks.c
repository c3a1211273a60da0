/* The parts of a distributed matrix in host memory.
 * SPDX-License-Identifier: MIT */
#include "blocks.h"

#include "base/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Distribution ---- */

static size_t element_bytes(const struct team_matrix *matrix)
{
    return matrix->precision == F64 ? sizeof(double) : sizeof(float);
}

/* At least 1. */
static size_t part_bytes(const struct team_matrix *matrix, const struct team_part *part)
{
    /* Some libraries take whole blocks of columns. */
    const int64_t stride = matrix->block_cols * matrix->grid_cols;
    const int64_t whole = (matrix->cols + stride - 1) / stride * matrix->block_cols;
    return (size_t)part->ld * (size_t)(part->cols > whole ? part->cols : whole) * element_bytes(matrix);
}

int blocks_distribute(const struct team *team, const struct team_memory *memory, const struct team_matrix *shape,
                      struct team_matrix *matrix)
{
    *matrix = *shape;
    matrix->grid_rows = team->grid_rows;
    matrix->grid_cols = team->grid_cols;
    const int all = team->grid_rows * team->grid_cols;
    const int parts = all / team->size;
    for (int i = 0; i < parts; i++) {
        struct team_part *part = &matrix->part[i];
        const int number = team->rank * parts + i;
        *part = (struct team_part){.grid_row = number % team->grid_rows,
                                   .grid_col = number / team->grid_rows,
                                   .device = team->devices && !team->in_host_memory ? i : -1};
        part->rows = team_share(matrix->rows, matrix->block_rows, part->grid_row, matrix->grid_rows);
        part->cols = team_share(matrix->cols, matrix->block_cols, part->grid_col, matrix->grid_cols);
        part->ld = part->rows > 0 ? part->rows : 1;
        part->data = memory->allocate(part->device, part_bytes(matrix, part));
        matrix->parts = i + 1;
        if (!part->data) {
            blocks_free(memory, matrix);
            return -1;
        }
    }
    return 0;
}

void blocks_free(const struct team_memory *memory, struct team_matrix *matrix)
{
    for (int i = 0; i < matrix->parts; i++)
        if (matrix->part[i].data)
            memory->release(matrix->part[i].device, matrix->part[i].data);
    matrix->parts = 0;
}

/* ---- Elements of one part ---- */

/* What a loop over the elements of a part works on. */
struct loop {
    const struct team_matrix *matrix;
    const struct team_part *part;
};

static int64_t row_of(const struct loop *loop, int64_t local)
{
    return team_index(local, loop->matrix->block_rows, loop->part->grid_row, loop->matrix->grid_rows);
}

static int64_t col_of(const struct loop *loop, int64_t local)
{
    return team_index(local, loop->matrix->block_cols, loop->part->grid_col, loop->matrix->grid_cols);
}

static double get(const struct loop *loop, int64_t row, int64_t col)
{
    return operand_value(loop->part->data, loop->matrix->precision, col * loop->part->ld + row);
}

static void put(const struct loop *loop, int64_t row, int64_t col, double value)
{
    const int64_t at = col * loop->part->ld + row;
    if (loop->matrix->precision == F64)
        ((double *)loop->part->data)[at] = value;
    else
        ((float *)loop->part->data)[at] = (float)value;
}

static double input(const struct loop *loop, const struct team_inputs *inputs, int64_t row, int64_t col)
{
    const uint64_t counter = (uint64_t)(row * loop->matrix->cols + col);
    if (inputs->kind == TEAM_INTEGERS)
        return (double)random_integer(inputs->key, counter, inputs->low, inputs->values);
    const double uniform = random_uniform(inputs->key, counter);
    const double value = inputs->kind == TEAM_UNIFORM ? uniform : 25 * (uniform + 1);
    return loop->matrix->precision == F64 ? value : (double)(float)value;
}

static double dominant_diagonal(const struct loop *loop, const struct team_inputs *inputs, int64_t row)
{
    double sum = 1;
    for (int64_t col = 0; col < loop->matrix->cols; col++)
        sum += col == row ? 0 : fabs(input(loop, inputs, row, col));
    return sum;
}

static void fill_part(const struct loop *loop, const struct team_inputs *inputs)
{
    for (int64_t j = 0; j < loop->part->cols; j++)
        for (int64_t i = 0; i < loop->part->rows; i++) {
            const int64_t row = row_of(loop, i), col = col_of(loop, j);
            put(loop, i, j,
                inputs->kind == TEAM_DOMINANT && row == col ? dominant_diagonal(loop, inputs, row)
                                                            : input(loop, inputs, row, col));
        }
}

/* ---- The functions of struct team_memory ---- */

static const char *why(void)
{
    return "no memory";
}

static void *allocate(int device, size_t bytes)
{
    void *memory = NULL;
    (void)device;
    return posix_memalign(&memory, 64, bytes) == 0 ? memory : NULL;
}

static void release(int device, void *memory)
{
    (void)device;
    free(memory);
}

static int set(const struct team_matrix *matrix, int byte)
{
    for (int i = 0; i < matrix->parts; i++)
        memset(matrix->part[i].data, byte, part_bytes(matrix, &matrix->part[i]));
    return 0;
}

static int fill(const struct team_matrix *matrix, const struct team_inputs *inputs)
{
    for (int i = 0; i < matrix->parts; i++)
        fill_part(&(struct loop){matrix, &matrix->part[i]}, inputs);
    return 0;
}

static void multiply_part(const struct loop *loop, bool transposed, bool magnitudes, enum team_triangle triangle,
                          const double *x, double *y)
{
    for (int64_t j = 0; j < loop->part->cols; j++)
        for (int64_t i = 0; i < loop->part->rows; i++) {
            const int64_t row = row_of(loop, i), col = col_of(loop, j);
            if ((triangle == TEAM_LOWER && row < col) || (triangle == TEAM_STRICTLY_LOWER && row <= col))
                continue;
            const double value = get(loop, i, j), factor = magnitudes ? fabs(value) : value;
            if (transposed)
                y[col] += factor * x[row];
            else
                y[row] += factor * x[col];
        }
}

static int multiply(const struct team_matrix *matrix, bool transposed, bool magnitudes, enum team_triangle triangle,
                    const double *x, double *y)
{
    for (int i = 0; i < matrix->parts; i++)
        multiply_part(&(struct loop){matrix, &matrix->part[i]}, transposed, magnitudes, triangle, x, y);
    return 0;
}

/* The digest is a sum of the elements' hashes, so that it depends neither on the order nor on the parts. */
static int digest(const struct team_matrix *matrix, uint64_t *digest, double *norm2)
{
    for (int p = 0; p < matrix->parts; p++) {
        const struct loop loop = {matrix, &matrix->part[p]};
        for (int64_t j = 0; j < loop.part->cols; j++)
            for (int64_t i = 0; i < loop.part->rows; i++) {
                const double value = get(&loop, i, j);
                uint64_t bits;
                memcpy(&bits, &value, sizeof bits);
                const uint64_t at = (uint64_t)(row_of(&loop, i) * matrix->cols + col_of(&loop, j));
                *digest += random_mix(random_mix(at + 1) ^ bits);
                *norm2 += value * value;
            }
    }
    return 0;
}

static int put_vector(const struct team_matrix *matrix, const double *from)
{
    for (int p = 0; p < matrix->parts; p++) {
        const struct loop loop = {matrix, &matrix->part[p]};
        for (int64_t i = 0; loop.part->cols > 0 && i < loop.part->rows; i++)
            put(&loop, i, 0, from[row_of(&loop, i)]);
    }
    return 0;
}

static int get_vector(const struct team_matrix *matrix, double *to)
{
    for (int p = 0; p < matrix->parts; p++) {
        const struct loop loop = {matrix, &matrix->part[p]};
        for (int64_t i = 0; loop.part->cols > 0 && i < loop.part->rows; i++)
            to[row_of(&loop, i)] += get(&loop, i, 0);
    }
    return 0;
}

static int nothing(void)
{
    return 0;
}

const struct team_memory blocks_host = {
    .why = why,
    .allocate = allocate,
    .release = release,
    .set = set,
    .fill = fill,
    .multiply = multiply,
    .digest = digest,
    .put = put_vector,
    .get = get_vector,
    .wait = nothing,
};
