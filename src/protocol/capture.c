/* What a worker writes to standard output and standard error: a file in memory of limited size.
 * SPDX-License-Identifier: MIT */
#include "capture.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int capture_open(const char *name)
{
    const int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0)
        return -1;
    if (ftruncate(fd, CAPTURE_BYTES) == 0 && fcntl(fd, F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) == 0)
        return fd;
    const int failed = errno;
    close(fd);
    errno = failed;
    return -1;
}

/* Every descriptor of the file shares one position, which is behind the last byte that was written. */
size_t capture_length(int fd)
{
    const off_t position = lseek(fd, 0, SEEK_CUR);
    return position <= 0 ? 0 : position > CAPTURE_BYTES ? CAPTURE_BYTES : (size_t)position;
}

void capture_rewind(int fd)
{
    lseek(fd, 0, SEEK_SET);
}

void capture_first_line(int fd, char *text, size_t size)
{
    const size_t length = capture_length(fd);
    const ssize_t got = pread(fd, text, length < size ? length : size - 1, 0);
    text[got < 0 ? 0 : got] = '\0';
    text[strcspn(text, "\n")] = '\0';
}

void capture_last_line(int fd, char *text, size_t size)
{
    char tail[1024];
    const size_t end = capture_length(fd), from = end > sizeof tail - 1 ? end - sizeof tail + 1 : 0;
    ssize_t got = pread(fd, tail, end - from, (off_t)from);
    while (got > 0 && (tail[got - 1] == '\n' || tail[got - 1] == '\r'))
        got--;
    tail[got < 0 ? 0 : got] = '\0';
    const char *line = strrchr(tail, '\n');
    line = line ? line + 1 : tail;
    const size_t length = strlen(line) < size ? strlen(line) : size - 1;
    memcpy(text, line, length);
    text[length] = '\0';
}
