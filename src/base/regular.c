/* Opening of files that others have made.
 * SPDX-License-Identifier: MIT */
#include "regular.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

FILE *regular_open(const char *path)
{
    struct stat file;
    int error = ENOTSUP;
    /* O_NONBLOCK: a pipe that nobody writes to opens at once. A tape or a terminal is never made to act. */
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return NULL;
    if (fstat(fd, &file) == 0 && S_ISREG(file.st_mode)) {
        FILE *stream = fdopen(fd, "r");
        if (stream)
            return stream;
        error = errno;
    }
    close(fd);
    errno = error;
    return NULL;
}

const char *regular_why(int error)
{
    return error == ENOTSUP ? "this is no regular file" : strerror(error);
}
