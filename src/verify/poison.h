/* What memory holds that no variant has written, so that a fault shows in the result.
 * SPDX-License-Identifier: MIT
 *
 * Each pattern is a NaN in its precision; the guard is one in f32 and in f64. In i32 a pattern is an odd number, which
 * no factor but 0 makes vanish from a sum modulo 2^32. */
#ifndef TILELAB_VERIFY_POISON_H
#define TILELAB_VERIFY_POISON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Every word of 32 bits beside an operand, and of an operand that was not filled yet. */
#define POISON_GUARD UINT32_C(0xFFFDA5A5)

/* Fills an output in host memory before a run. The NaN of f32 and f64 is a signalling one: arithmetic makes it quiet,
 * while an element that nobody has written keeps it. `size` is in bytes. */
void poison_fill(void *output, size_t size, int64_t precision);
/* Whether element i holds what it held before the run: the word of poison_fill(), or bytes of 0xFF, which fill outputs
 * in the memory of a device. */
bool poison_is_left(const void *output, int64_t precision, int64_t i);
/* What an element that is not finite shows, as the end of a sentence: "was not written", or a question. */
const char *poison_words(const void *output, int64_t precision, int64_t i);
/* Whether an i32 element that should be `right` is poison to which a variant has added the right value. */
bool poison_was_added_to(int32_t found, int32_t right);

#endif
