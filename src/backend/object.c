/* Finds the shared objects that hold the code of devices.
 * SPDX-License-Identifier: MIT */
#include "object.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool object_path(const char *file, char *path, size_t size)
{
    const char *named = getenv("TILELAB_BACKENDS");
    if (named && *named) {
        const int length = snprintf(path, size, "%s/%s", named, file);
        return length > 0 && (size_t)length < size && access(path, R_OK) == 0;
    }
    char folder[PATH_MAX];
    const ssize_t got = readlink("/proc/self/exe", folder, sizeof folder - 1);
    if (got <= 0)
        return false;
    folder[got] = '\0';
    *strrchr(folder, '/') = '\0';
    static const char *const places[] = {"", "/../lib/tilelab"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const int length = snprintf(path, size, "%s%s/%s", folder, places[i], file);
        if (length > 0 && (size_t)length < size && access(path, R_OK) == 0)
            return true;
    }
    return false;
}
