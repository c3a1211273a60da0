/* Comparisons of texts.
 * SPDX-License-Identifier: MIT */
#include "text.h"

#include <string.h>

bool text_is(const char *bytes, size_t length, const char *name)
{
    /* strncmp would stop at a NUL among the bytes, and a look at name[length] would then be behind the name. */
    return strlen(name) == length && memcmp(bytes, name, length) == 0;
}

bool text_ends(const char *text, const char *suffix)
{
    const size_t length = strlen(text), end = strlen(suffix);
    return length > end && strcmp(text + length - end, suffix) == 0;
}
