/* Comparisons of texts, and the reason of a failure.
 * SPDX-License-Identifier: MIT */
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
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

bool text_refuse(char *why, size_t size, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(why, size, format, args);
    va_end(args);
    return false;
}
