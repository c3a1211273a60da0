/* Signs that change the inputs from sample to sample.
 * SPDX-License-Identifier: MIT */
#include "signs.h"

#include "cell.h"
#include "inputs.h"
#include "registry.h"

enum { STREAM_SIGNS = 3000 };

struct signs signs_none(void)
{
    return (struct signs){.negative = {-1, -1, -1}};
}

/* The number of elements of a vector of signs, numbered from 1; 0: the problem has no such vector. */
static int64_t length_of(const struct cell *cell, int vector)
{
    const struct problem *problem = cell->entry->problem;
    for (int i = 0; i < problem->operand_count; i++) {
        const struct operand *operand = &problem->operand[i];
        int64_t rows, cols;
        operand->shape(cell, &rows, &cols);
        if (operand->row_signs == vector)
            return rows;
        if (operand->col_signs == vector)
            return cols;
    }
    return 0;
}

struct signs signs_draw(const struct cell *cell, uint64_t seed, uint64_t sample)
{
    struct signs signs = signs_none();
    for (int v = 0; v < SIGN_VECTORS; v++) {
        const int64_t length = length_of(cell, v + 1);
        if (length > 0)
            signs.negative[v] = inputs_integer(seed, (uint32_t)(STREAM_SIGNS + v), sample, 0, length - 1);
    }
    return signs;
}

/* Adds the lines of the elements that become negative, or cease to be, of one vector. */
static int add_lines(int vector, const struct signs *from, const struct signs *to, struct signs_line shape,
                     int64_t apart, struct signs_line *line)
{
    int count = 0;
    if (vector == 0 || from->negative[vector - 1] == to->negative[vector - 1])
        return 0;
    const int64_t at[] = {from->negative[vector - 1], to->negative[vector - 1]};
    for (int i = 0; i < 2; i++)
        if (at[i] >= 0) {
            line[count] = shape;
            line[count++].first = at[i] * apart;
        }
    return count;
}

int signs_lines(const struct cell *cell, int operand, const struct signs *from, const struct signs *to,
                struct signs_line line[SIGNS_LINES])
{
    const struct operand *of = &cell->entry->problem->operand[operand];
    int64_t rows, cols;
    of->shape(cell, &rows, &cols);
    const bool by_columns = cell_meta(cell)->column_major;
    const int64_t row_stride = by_columns ? 1 : cols, col_stride = by_columns ? rows : 1;
    const struct signs_line row = {0, cols, col_stride}, col = {0, rows, row_stride};
    const int count = add_lines(of->row_signs, from, to, row, row_stride, line);
    return count + add_lines(of->col_signs, from, to, col, col_stride, line + count);
}

void signs_negate(void *data, int64_t precision, const struct signs_line *line)
{
    for (int64_t i = 0, at = line->first; i < line->count; i++, at += line->stride) {
        if (precision == I32) {
            uint32_t *element = (uint32_t *)data + at;
            *element = -*element;
        } else if (precision == F32) {
            float *element = (float *)data + at;
            *element = *element < 0 || *element > 0 ? -*element : *element;
        } else {
            double *element = (double *)data + at;
            *element = *element < 0 || *element > 0 ? -*element : *element;
        }
    }
}

/* Gives zeros the sign +. The sign of a zero may follow the signs of the inputs, as in 0 / -1, and uniform inputs
 * hardly ever make one. */
static void clear_signs_of_zeros(const struct cell *cell, int operand, void *data)
{
    int64_t rows, cols;
    cell->entry->problem->operand[operand].shape(cell, &rows, &cols);
    for (int64_t i = 0; i < rows * cols; i++)
        if (cell->precision == F32)
            ((float *)data)[i] += 0.0f;
        else
            ((double *)data)[i] += 0.0;
}

static void undo_lines(const struct cell *cell, const struct signs *signs, void *const operand[])
{
    const struct problem *problem = cell->entry->problem;
    const struct signs none = signs_none();
    for (int i = 0; i < problem->operand_count; i++) {
        struct signs_line line[SIGNS_LINES];
        if (problem->operand[i].role == INPUT)
            continue;
        const int lines = signs_lines(cell, i, &none, signs, line);
        for (int l = 0; l < lines; l++)
            signs_negate(operand[i], cell->precision, &line[l]);
    }
}

void signs_undo(const struct cell *cell, const struct signs *signs, void *const operand[])
{
    const struct problem *problem = cell->entry->problem;
    if (problem->undo_signs)
        problem->undo_signs(cell, signs, operand);
    else
        undo_lines(cell, signs, operand);
    for (int i = 0; i < problem->operand_count; i++)
        if (cell->inputs && cell->precision != I32 && problem->operand[i].role != INPUT && !problem->element_bytes[i])
            clear_signs_of_zeros(cell, i, operand[i]);
}
