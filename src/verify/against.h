/* Verification by a variant of the problem: its result is the one that every variant must have.
 * SPDX-License-Identifier: MIT
 *
 * A problem that needs no checker of its own says in its description
 *     AGAINST("seq-naive", 4),
 * in place of .reference, .reference_free and .verify. The variant is one of the CPU; it runs on one thread, in the
 * judge's process and with the judge's inputs, once for all variants of a point. An element may differ from it by so
 * many unit roundoffs of the largest finite magnitude in the expected operand. With the bound 0, with integers and with
 * EXACT inputs the values must be equal. What the variant itself does wrong stays unseen: it should be the plainest
 * one. */
#ifndef TILELAB_VERIFY_AGAINST_H
#define TILELAB_VERIFY_AGAINST_H

#include "problem.h"

#define AGAINST(variant, roundoffs) \
    .against = (variant), .within = (roundoffs), .reference = against_reference, .reference_free = against_free, \
    .verify = against_verify

/* The cell of the variant that verifies another cell: its shape on one thread, plainly compiled. False: the problem is
 * not verified so, or has no such variant. */
bool against_cell(const struct cell *of, struct cell *cell);

/* The hooks of a problem; see problem.h. */
void *against_reference(const struct cell *cell, enum inputs inputs, uint64_t seed, void *const operand[]);
void against_free(void *reference);
void against_verify(const struct cell *cell, enum inputs inputs, const void *reference, void *const operand[],
                    struct verdict *verdict);

#endif
