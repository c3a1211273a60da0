/* Reading of whole files.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BASE_FILE_H
#define TILELAB_BASE_FILE_H

#include <stddef.h>

/* Reads a file. A zero byte stands behind its last one. *length becomes the number of its bytes; `length` may be NULL.
 * The caller frees the bytes. NULL with errno set: the file cannot be read. */
char *file_read(const char *path, size_t *length);

#endif
