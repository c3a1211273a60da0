/* SHA-256 of memory and files, as lower-case hexadecimal.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BASE_HASH_H
#define TILELAB_BASE_HASH_H

#include <stdbool.h>
#include <stddef.h>

/* Rows of results keep the first digits of a hash; with their NUL they take HASH_SHORT_SIZE characters. */
enum { HASH_DIGITS = 64, HASH_SHORT = 16, HASH_SHORT_SIZE = HASH_SHORT + 1 };

/* Writes the first `digits` hexadecimal digits of the hash, at most HASH_DIGITS, and a NUL: `hex` has room for digits +
 * 1 characters. */
void hash_hex(const void *data, size_t size, char *hex, size_t digits);
/* Does the same for the content of a regular file. If the file cannot be read, or is a device without an end, it
 * returns false with errno set, and `hex` is empty. */
bool hash_file(const char *path, char *hex, size_t digits);

#endif
