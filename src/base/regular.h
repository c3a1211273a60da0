/* Opening of files that others have made: a pipe or a device under the name of a file must not stop the program.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BASE_REGULAR_H
#define TILELAB_BASE_REGULAR_H

#include <stdio.h>

/* Opens a regular file, or a link to one, for reading. Never waits. Returns NULL with errno set if the file cannot be
 * opened; errno is ENOTSUP for a folder, a pipe, a socket or a device. */
FILE *regular_open(const char *path);
/* What errno says after a failure of regular_open. */
const char *regular_why(int error);

#endif
