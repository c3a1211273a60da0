/* Opening of files that others have made.
 * SPDX-License-Identifier: MIT */
#include "regular.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int regular_descriptor(const char *path, int flags)
{
    struct stat file;
    /* O_NONBLOCK: a pipe that nobody writes to opens at once. A tape or a terminal is never made to act. */
    const int fd = open(path, flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0666);
    if (fd < 0) {
        if (errno == EISDIR)
            errno = ENXIO;
        return -1;
    }
    const int error = fstat(fd, &file) != 0 ? errno : S_ISREG(file.st_mode) ? 0 : ENXIO;
    if (error == 0)
        return fd;
    close(fd);
    errno = error;
    return -1;
}

FILE *regular_open(const char *path)
{
    const int fd = regular_descriptor(path, O_RDONLY);
    FILE *stream = fd < 0 ? NULL : fdopen(fd, "r");
    if (fd >= 0 && !stream) {
        const int error = errno;
        close(fd);
        errno = error;
    }
    return stream;
}

const char *regular_why(int error)
{
    return error == ENXIO   ? "this is no regular file"
           : error == ELOOP ? "this is a symbolic link that is not followed"
                            : strerror(error);
}
