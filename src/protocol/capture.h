/* What a worker writes to standard output and standard error: a file in memory of limited size.
 * SPDX-License-Identifier: MIT
 *
 * What does not fit is lost: the system refuses to let the file grow, and the writer goes on. */
#ifndef TILELAB_PROTOCOL_CAPTURE_H
#define TILELAB_PROTOCOL_CAPTURE_H

#include <stddef.h>

enum { CAPTURE_BYTES = 64 << 10 };

/* A new file, closed on exec; -1 with errno. */
int capture_open(const char *name);
/* How many bytes were written to the file since it was opened or rewound. */
size_t capture_length(int fd);
/* Forgets what was written. */
void capture_rewind(int fd);
/* The first or the last line that was written, without its line feed; empty if there is none. */
void capture_first_line(int fd, char *text, size_t size);
void capture_last_line(int fd, char *text, size_t size);

#endif
