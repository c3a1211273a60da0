/* A cell with operands of its own, for tests of problems and kernels.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_TESTS_POINT_H
#define TILELAB_TESTS_POINT_H

#include "registry.h"

struct point {
    struct cell cell;
    void *operand[MAX_OPERANDS];
    void *pristine[MAX_OPERANDS]; /* INOUT operands as generated; NULL for all others */
    size_t size_bytes[MAX_OPERANDS];
    enum inputs inputs;
    void *reference;
};

/* Allocates the operands, generates inputs, poisons outputs and computes the reference. If that fails, the test
 * fails. */
void point_open(struct point *point, const struct cell *cell, enum inputs inputs, uint64_t seed);
void point_poison(struct point *point);
/* Copies the generated values into the INOUT operands. */
void point_restore(struct point *point);
/* Prepares the variant, runs it once on fresh operands and releases it. Returns 0, or what the variant returned. */
int point_run(struct point *point, struct job *job);
struct verdict point_verify(const struct point *point);
void point_close(struct point *point);
/* Stores an element of any precision, as operand_value reads it. An i32 element takes the value modulo 2^32. */
void operand_put(void *operand, int64_t precision, int64_t i, double value);

#endif
