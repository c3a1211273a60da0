/* Memory, or the end of the program.
 * SPDX-License-Identifier: MIT */
#include "memory.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_MEMORY = 4 };

static _Noreturn void give_up(void)
{
    fputs("tilelab: there is not enough memory; end other programs, or ask for less\n", stderr);
    exit(EXIT_MEMORY);
}

void *memory_grow(void *memory, size_t count, size_t size)
{
    void *grown = size && count > SIZE_MAX / size ? NULL : realloc(memory, count && size ? count * size : 1);
    if (!grown)
        give_up();
    return grown;
}

void *memory_allocate(size_t count, size_t size)
{
    return memset(memory_grow(NULL, count, size), 0, count * size);
}

char *memory_copy(const char *text)
{
    const size_t size = strlen(text) + 1;
    return memcpy(memory_grow(NULL, size, 1), text, size);
}

static char *print(const char *format, va_list arguments)
{
    char *text;
    if (vasprintf(&text, format, arguments) < 0)
        give_up();
    return text;
}

char *memory_print(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = print(format, arguments);
    va_end(arguments);
    return text;
}

void memory_append(char **text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *more = print(format, arguments);
    va_end(arguments);
    const size_t length = *text ? strlen(*text) : 0;
    *text = memory_grow(*text, length + strlen(more) + 1, 1);
    strcpy(*text + length, more);
    free(more);
}
