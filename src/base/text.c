/* Texts of which only the length is known.
 * SPDX-License-Identifier: MIT */
#include "text.h"

#include <string.h>

bool text_is(const char *bytes, size_t length, const char *name)
{
    /* strncmp would stop at a NUL among the bytes, and a look at name[length] would then be behind the name. */
    return strlen(name) == length && memcmp(bytes, name, length) == 0;
}
