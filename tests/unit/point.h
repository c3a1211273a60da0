/* A cell with its operands in memory of their own, for tests of problems and kernels.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_TESTS_POINT_H
#define TILELAB_TESTS_POINT_H

#include "registry.h"

struct point {
    struct cell cell;
    void *operand[MAX_OPERANDS];
    void *pristine[MAX_OPERANDS]; /* of INOUT operands, as generated */
    size_t size_bytes[MAX_OPERANDS];
    enum inputs inputs;
    void *reference;
};

/* Allocates, generates inputs, poisons outputs, computes the reference; or the test fails. */
void point_open(struct point *point, const struct cell *cell, enum inputs inputs, uint64_t seed);
void point_poison(struct point *point);
/* INOUT operands as they were generated. */
void point_restore(struct point *point);
/* Prepares, runs once on fresh operands and releases the cell's variant; 0 or what it returned. */
int point_run(struct point *point, struct job *job);
struct verdict point_verify(const struct point *point);
void point_close(struct point *point);
/* The counterpart of operand_value; i32 modulo 2^32. */
void operand_put(void *operand, int64_t precision, int64_t i, double value);

#endif
