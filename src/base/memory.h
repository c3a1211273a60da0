/* Memory, or the end of the program: for text and tables that nothing can go on without.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BASE_MEMORY_H
#define TILELAB_BASE_MEMORY_H

#include <stddef.h>

/* Each function returns memory that the caller frees. Without memory it prints one line and ends the program with exit
 * code 4. A count of 0 gives a pointer that can be freed. */

/* Resizes `memory` (NULL: none yet) to count * size bytes; what it held stays. */
void *memory_grow(void *memory, size_t count, size_t size);
/* count * size bytes of zeros. */
void *memory_allocate(size_t count, size_t size);
/* A copy of a text. */
char *memory_copy(const char *text);
/* A text as printf prints it. */
char *memory_print(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Adds such a text to the end of *text, which the functions above gave, or NULL for an empty text. */
void memory_append(char **text, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
