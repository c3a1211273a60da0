/* Reading of whole files, and of pieces of files that are open.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BASE_FILE_H
#define TILELAB_BASE_FILE_H

#include <stddef.h>
#include <sys/types.h>

/* Reads a file. A zero byte stands behind its last one. *length becomes the number of its bytes; `length` may be NULL.
 * The caller frees the bytes. NULL with errno set: the file cannot be read. */
char *file_read(const char *path, size_t *length);

/* Reads `size` bytes at an offset, or where the last call ended if the offset is -1; fewer at the end of the file.
 * Returns how many, or -1 on failure. */
ssize_t file_take(int fd, char *to, size_t size, off_t offset);
/* Writes all bytes. Returns 0, or -1 on failure. */
int file_put(int fd, const char *bytes, size_t length);

#endif
