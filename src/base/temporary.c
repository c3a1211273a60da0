/* Files that take another file's place once they are whole.
 * SPDX-License-Identifier: MIT */
#include "temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

static uint64_t random_bits(void)
{
    uint64_t bits = 0;
    if (getrandom(&bits, sizeof bits, GRND_NONBLOCK) != (ssize_t)sizeof bits) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        bits = (uint64_t)now.tv_nsec << 32 ^ (uint64_t)now.tv_sec << 16 ^ (uint64_t)getpid();
    }
    return bits;
}

int temporary_open(const char *path, int flags, char **made)
{
    enum { TRIES = 16 };
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    for (int i = 0; i < TRIES; i++) {
        /* First the name that an interrupted process may have left behind. */
        char random[16] = "";
        if (i > 0)
            snprintf(random, sizeof random, ".%012" PRIx64, random_bits() >> 16);
        if (asprintf(made, "%.*s.%s%s.new", (int)(name - path), path, name, random) < 0) {
            *made = NULL;
            errno = ENOMEM;
            return -1;
        }
        if (i == 0)
            unlink(*made);
        const int fd = open(*made, flags | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        const int error = errno;
        if (fd >= 0)
            return fd;
        free(*made);
        *made = NULL;
        errno = error;
        if (error != EEXIST)
            break;
    }
    return -1;
}
