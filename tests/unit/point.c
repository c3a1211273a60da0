/* A cell with operands of its own.
 * SPDX-License-Identifier: MIT */
#include "point.h"
#include "test.h"

#include "cell.h"

void point_open(struct point *point, const struct cell *cell, enum inputs inputs, uint64_t seed)
{
    const struct problem *problem = cell->entry->problem;
    void *given[MAX_OPERANDS] = {NULL};
    *point = (struct point){.cell = *cell, .inputs = inputs};
    for (int i = 0; i < problem->operand_count; i++) {
        point->size_bytes[i] = (size_t)cell_operand_bytes(cell, i);
        point->operand[i] = malloc(point->size_bytes[i]);
        assert_non_null(point->operand[i]);
        if (problem->operand[i].role == INOUT)
            assert_non_null(point->pristine[i] = malloc(point->size_bytes[i]));
        given[i] = point->pristine[i] ? point->pristine[i] : point->operand[i];
    }
    problem->generate(cell, inputs, seed, given);
    point_restore(point);
    point_poison(point);
    if (problem->reference)
        assert_non_null(point->reference = problem->reference(cell, inputs, seed, given));
}

void point_poison(struct point *point)
{
    const struct problem *problem = point->cell.entry->problem;
    for (int i = 0; i < problem->operand_count; i++)
        if (problem->operand[i].role == OUTPUT)
            memset(point->operand[i], 0xFF, point->size_bytes[i]);
}

void point_restore(struct point *point)
{
    for (int i = 0; i < MAX_OPERANDS; i++)
        if (point->pristine[i])
            memcpy(point->operand[i], point->pristine[i], point->size_bytes[i]);
}

int point_run(struct point *point, struct job *job)
{
    const struct variant *variant = cell_variant(&point->cell);
    job->cell = &point->cell;
    memcpy(job->operand, point->operand, sizeof job->operand);
    point_restore(point);
    int status = variant->prepare ? variant->prepare(job) : 0;
    if (status == 0)
        status = variant->run(job);
    if (variant->release)
        variant->release(job);
    return status;
}

struct verdict point_verify(const struct point *point)
{
    struct verdict verdict;
    point->cell.entry->problem->verify(&point->cell, point->inputs, point->reference, point->operand, &verdict);
    return verdict;
}

void operand_put(void *operand, int64_t precision, int64_t i, double value)
{
    if (precision == F32)
        ((float *)operand)[i] = (float)value;
    else if (precision == F64)
        ((double *)operand)[i] = value;
    else
        ((uint32_t *)operand)[i] = (uint32_t)(int64_t)value;
}

void point_close(struct point *point)
{
    const struct problem *problem = point->cell.entry->problem;
    if (problem->reference)
        problem->reference_free(point->reference);
    for (int i = 0; i < problem->operand_count; i++) {
        free(point->operand[i]);
        free(point->pristine[i]);
    }
    *point = (struct point){0};
}
