/* Finds and loads the shared objects that hold kernels.
 * SPDX-License-Identifier: MIT */
#include "object.h"

#include "layout.h"
#include "registry.h"
#include "base/process.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

bool object_path(const char *file, char *path, size_t size)
{
    const char *named = getenv("TILELAB_BACKENDS");
    if (named && *named) {
        const int length = snprintf(path, size, "%s/%s", named, file);
        return length > 0 && (size_t)length < size && access(path, R_OK) == 0;
    }
    char folder[PATH_MAX];
    const ssize_t got = readlink(PROCESS_SELF, folder, sizeof folder - 1);
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

static void other_version(const char *file, char *why, size_t size)
{
    snprintf(why, size, "%s belongs to another version of tilelab (rebuild both with `make`)", file);
}

static bool same_layout(const struct layout *a, const struct layout *b)
{
    return strcmp(a->axes, b->axes) == 0 && a->cell_bytes == b->cell_bytes && a->job_bytes == b->job_bytes &&
           a->state == b->state && a->stream == b->stream && a->error == b->error;
}

bool object_fits(void *object, const char *file, char *why, size_t size)
{
    tilelab_layout_function layout;
    *(void **)&layout = dlsym(object, "tilelab_layout");
    if (layout && same_layout(layout(), &layout_here))
        return true;
    other_version(file, why, size);
    return false;
}

void *object_refuse(void **object, const char *file, char *why, size_t size)
{
    other_version(file, why, size);
    dlclose(*object);
    return *object = NULL;
}

void *object_open(const char *path, int flags, char *why, size_t size)
{
    void *object = dlopen(path, flags);
    if (!object)
        snprintf(why, size, "%.200s", dlerror());
    else if (!object_fits(object, strrchr(path, '/') + 1, why, size))
        object_refuse(&object, strrchr(path, '/') + 1, why, size);
    return object;
}

void *object_entry(void *object, const struct cell *cell, const char *suffix)
{
    char name[96];
    snprintf(name, sizeof name, "%s_%s", cell->entry->symbol, suffix);
    return dlsym(object, name);
}

void object_finish(void *object, struct job *job)
{
    void (*release)(struct job *);
    *(void **)&release = object_entry(object, job->cell, "release");
    if (release)
        release(job);
}
