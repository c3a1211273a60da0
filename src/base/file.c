/* Reading of whole files.
 * SPDX-License-Identifier: MIT */
#include "file.h"

#include "memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

char *file_read(const char *path, size_t *length)
{
    FILE *file = fopen(path, "re");
    char *bytes = NULL;
    size_t got = 0, room = 0;
    if (!file)
        return NULL;
    do {
        room = room ? 2 * room : 1 << 16;
        bytes = memory_grow(bytes, room + 1, 1);
        got += fread(bytes + got, 1, room - got, file);
    } while (got == room);
    const int error = ferror(file) ? errno : 0;
    fclose(file);
    bytes[got] = '\0';
    if (length)
        *length = got;
    if (!error)
        return bytes;
    free(bytes);
    errno = error;
    return NULL;
}
