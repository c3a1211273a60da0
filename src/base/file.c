/* Reading of whole files, and of pieces of files that are open.
 * SPDX-License-Identifier: MIT */
#include "file.h"

#include "memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

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

ssize_t file_take(int fd, char *to, size_t size, off_t offset)
{
    size_t got = 0;
    while (got < size) {
        const ssize_t part =
            offset < 0 ? read(fd, to + got, size - got) : pread(fd, to + got, size - got, offset + (off_t)got);
        if (part < 0 && errno == EINTR)
            continue;
        if (part < 0)
            return -1;
        if (part == 0)
            break;
        got += (size_t)part;
    }
    return (ssize_t)got;
}

int file_put(int fd, const char *bytes, size_t length)
{
    while (length > 0) {
        const ssize_t part = write(fd, bytes, length);
        if (part < 0 && errno == EINTR)
            continue;
        if (part < 0)
            return -1;
        bytes += part;
        length -= (size_t)part;
    }
    return 0;
}
