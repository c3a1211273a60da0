/* Comparisons of texts: with parts of a file that no NUL ends, and of their ends. The reason of a failure.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BASE_TEXT_H
#define TILELAB_BASE_TEXT_H

#include "variant.h"

#include <stdbool.h>
#include <stddef.h>

/* Whether bytes[length] is the same as a name that a NUL ends. The bytes may hold NULs, and then are no name. */
bool text_is(const char *bytes, size_t length, const char *name);

/* Whether a text ends in a suffix and has more than the suffix. */
bool text_ends(const char *text, const char *suffix);

/* Writes a reason, and returns false: `return text_refuse(why, size, ...)`. */
bool text_refuse(char *why, size_t size, const char *format, ...) TILELAB_PRINTF(3, 4);

#endif
