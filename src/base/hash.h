/* SHA-256 of memory and files, as lower-case hexadecimal.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BASE_HASH_H
#define TILELAB_BASE_HASH_H

#include <stdbool.h>
#include <stddef.h>

enum { HASH_DIGITS = 64 };

/* The first `digits` (at most HASH_DIGITS) hexadecimal digits, and a NUL: `hex` has room for digits
 * + 1. */
void hash_hex(const void *data, size_t size, char *hex, size_t digits);
/* The same of a file's content; false with errno set, and `hex` empty, where it cannot be read. */
bool hash_file(const char *path, char *hex, size_t digits);

#endif
