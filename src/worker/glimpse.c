/* Glimpses: what a verified output holds at a few places.
 * SPDX-License-Identifier: MIT */
#include "glimpse.h"

#include "cell.h"
#include "verify/poison.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

/* A number from 0 to below `most`, which no other code of this process can foretell. */
static int64_t draw(int64_t most)
{
    uint64_t bits = 0;
    (void)!getrandom(&bits, sizeof bits, 0);
    return (int64_t)((unsigned __int128)bits * (uint64_t)most >> 64);
}

static bool is_seen(const struct operands *operands, int i)
{
    return operands->problem->operand[i].role != INPUT && operands->host[i].size > 0;
}

void glimpse_take(struct glimpses *glimpses, const struct operands *operands)
{
    if (!glimpses->at)
        glimpses->at = malloc(GLIMPSES * sizeof *glimpses->at);
    glimpses->count = 0;
    for (int i = 0, operand = 0; glimpses->at && i < GLIMPSES; i++) {
        struct glimpse *to = &glimpses->at[glimpses->count];
        do
            operand = (operand + 1) % operands->problem->operand_count;
        while (!is_seen(operands, operand));
        const int64_t elements = (int64_t)(operands->host[operand].size / operands_element_bytes(operands, operand));
        to->operand = operand;
        to->count = elements < GLIMPSE_ELEMENTS ? elements : GLIMPSE_ELEMENTS;
        to->first = draw(elements - to->count + 1);
        if (operands_read(operands, operand, to->first, to->count, to->verified))
            glimpses->count++;
    }
}

void glimpse_free(struct glimpses *glimpses)
{
    free(glimpses->at);
    *glimpses = (struct glimpses){0};
}

/* Whether the signs of the inputs give an element of an output another sign. */
static bool is_negated(const struct operands *operands, int i, int64_t element)
{
    const struct operand *operand = &operands->problem->operand[i];
    int64_t rows, cols;
    operand->shape(&operands->shape, &rows, &cols);
    const int64_t *negative = operands->signs.negative;
    const bool by_row = operand->row_signs && negative[operand->row_signs - 1] == element / cols;
    const bool by_col = operand->col_signs && negative[operand->col_signs - 1] == element % cols;
    return by_row != by_col;
}

/* The bits of an element, without its sign if it is a zero, or if the signs of the results follow no table. */
static uint64_t bits_of(const struct operands *operands, const struct glimpse *glimpse, const char *elements, int64_t i)
{
    const size_t size = operands_element_bytes(operands, glimpse->operand);
    const bool is_real = operands->shape.precision != I32 && !operands->problem->element_bytes[glimpse->operand];
    uint64_t bits = 0;
    memcpy(&bits, elements + (size_t)i * size, size);
    const uint64_t magnitude = bits & ~(UINT64_C(1) << (8 * size - 1));
    return is_real && (operands->problem->undo_signs || magnitude == 0) ? magnitude : bits;
}

/* What an element has to be, after what it was for inputs without signs. Zeros and NaN keep their bits. */
static uint64_t expected_bits(const struct operands *operands, const struct glimpse *glimpse, int64_t i)
{
    const size_t size = operands_element_bytes(operands, glimpse->operand);
    const uint64_t bits = bits_of(operands, glimpse, glimpse->verified, i), top = UINT64_C(1) << (8 * size - 1);
    const uint64_t infinite = size == 4 ? UINT64_C(0x7F800000) : UINT64_C(0x7FF0000000000000);
    if (operands->problem->undo_signs || !is_negated(operands, glimpse->operand, glimpse->first + i))
        return bits;
    if (operands->shape.precision == I32)
        return (uint32_t) - (uint32_t)bits;
    return (bits & ~top) == 0 || (bits & ~top) > infinite ? bits : bits ^ top;
}

enum glimpse_found glimpse_compare(struct glimpses *glimpses, const struct operands *operands, bool varies)
{
    if (glimpses->count == 0)
        return GLIMPSE_SAME;
    glimpses->latest = (int)draw(glimpses->count);
    const struct glimpse *of = &glimpses->at[glimpses->latest];
    if (!operands_read(operands, of->operand, of->first, of->count, glimpses->seen))
        return GLIMPSE_FAILED;
    for (int64_t i = 0; i < of->count; i++) {
        const uint64_t seen = bits_of(operands, of, glimpses->seen, i), expected = expected_bits(operands, of, i);
        if (seen != expected && (!varies || poison_is_left(glimpses->seen, operands->shape.precision, i)))
            return GLIMPSE_OTHER;
    }
    return GLIMPSE_SAME;
}

bool glimpse_unchanged(const struct glimpses *glimpses, const struct operands *operands)
{
    char now[GLIMPSE_BYTES];
    if (glimpses->count == 0)
        return true;
    const struct glimpse *of = &glimpses->at[glimpses->latest];
    const size_t bytes = (size_t)of->count * operands_element_bytes(operands, of->operand);
    return !operands_read(operands, of->operand, of->first, of->count, now) || memcmp(now, glimpses->seen, bytes) == 0;
}
