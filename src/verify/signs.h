/* Signs that change the inputs from sample to sample, so that a result kept from an earlier run is a wrong one.
 * SPDX-License-Identifier: MIT
 *
 * problem.h says what the signs multiply. Floating-point arithmetic rounds a number and its negative alike, and
 * integers are computed modulo a power of two. So the results for other signs are the same bit for bit, once the signs
 * are undone. Zeros and NaN keep their bits. */
#ifndef TILELAB_VERIFY_SIGNS_H
#define TILELAB_VERIFY_SIGNS_H

#include "problem.h"

/* No element is negative. */
struct signs signs_none(void);
/* The signs of one sample: a negative element at random in each vector that the problem has. */
struct signs signs_draw(const struct cell *cell, uint64_t seed, uint64_t sample);

/* `count` elements of an operand, `stride` elements apart. */
struct signs_line {
    int64_t first, count, stride;
};
/* The lines of an operand whose elements a step from one set of signs to another negates, one after the other. Returns
 * how many there are. */
enum { SIGNS_LINES = 4 };
int signs_lines(const struct cell *cell, int operand, const struct signs *from, const struct signs *to,
                struct signs_line line[SIGNS_LINES]);
/* Negates a line of an operand in a precision, in memory of the host. */
void signs_negate(void *data, int64_t precision, const struct signs_line *line);
/* Undoes in the results what the signs of the inputs did to them. `operand` has those that a variant writes. Where the
 * inputs are not uniform, zeros also lose their signs. */
void signs_undo(const struct cell *cell, const struct signs *signs, void *const operand[]);

#endif
