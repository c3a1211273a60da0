/* What memory holds that no variant has written, so that a fault shows in the result.
 * SPDX-License-Identifier: MIT */
#include "poison.h"

#include "cell.h"
#include "problem.h"

#include <math.h>
#include <string.h>

/* One word of each precision repeats. The first bit of the fraction is 0, which makes a NaN signal. */
static const uint32_t pattern[PRECISIONS + 1] = {[F32] = 0xFF9FFFFF, [F64] = 0xFFF3FFFF, [I32] = 0xFF9FFFFF};
static const uint32_t device_pattern = 0xFFFFFFFF;

/* The words of element i; f64 has two. Returns their number. */
static int words_of(const void *values, int64_t precision, int64_t i, uint32_t word[2])
{
    const size_t size = cell_precision_size(precision);
    memcpy(word, (const char *)values + (size_t)i * size, size);
    return (int)(size / sizeof *word);
}

/* Whether all words of element i are the same as this one. */
static bool is_word(const void *values, int64_t precision, int64_t i, uint32_t expected)
{
    uint32_t word[2];
    const int count = words_of(values, precision, i, word);
    return word[0] == expected && word[count - 1] == expected;
}

void poison_fill(void *output, size_t size, int64_t precision)
{
    const uint32_t word = pattern[precision];
    char *to = output;
    size_t filled = size < sizeof word ? size : sizeof word;
    memcpy(to, &word, filled);
    /* Each copy doubles what is there, up to what a cache holds. */
    enum { CHUNK = 1 << 14 };
    for (size_t more; filled < size; filled += more) {
        more = filled < CHUNK ? filled : CHUNK;
        more = more < size - filled ? more : size - filled;
        memcpy(to + filled, to, more);
    }
}

bool poison_is_left(const void *output, int64_t precision, int64_t i)
{
    return is_word(output, precision, i, pattern[precision]) || is_word(output, precision, i, device_pattern);
}

const char *poison_words(const void *output, int64_t precision, int64_t i)
{
    if (poison_is_left(output, precision, i))
        return "was not written";
    if (is_word(output, precision, i, POISON_GUARD))
        return "is NaN: was an element outside of an operand read?";
    return isnan(operand_value(output, precision, i)) ? "is NaN: was it added to before it was set to zero?"
                                                      : "is not finite";
}

bool poison_was_added_to(int32_t found, int32_t right)
{
    const uint32_t before = (uint32_t)found - (uint32_t)right;
    return before == pattern[I32];
}
