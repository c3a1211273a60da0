/* Opening of files that others have made: a pipe or a device under the name of a file must not stop the program.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BASE_REGULAR_H
#define TILELAB_BASE_REGULAR_H

#include <stdio.h>

/* Opens a regular file with the flags of open(2), and makes it if O_CREAT is among them. Never waits. Returns the
 * descriptor, or -1 with errno set; errno is ENXIO for a folder, a pipe, a socket or a device. With O_NOFOLLOW, a link
 * is refused with ELOOP. */
int regular_descriptor(const char *path, int flags);
/* Opens a regular file, or a link to one, for reading, in the same way. NULL with errno set. */
FILE *regular_open(const char *path);
/* What errno says after a failure of these functions. */
const char *regular_why(int error);

#endif
