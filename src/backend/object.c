/* Finds and loads the shared objects that hold kernels.
 * SPDX-License-Identifier: MIT */
#include "object.h"

#include "cell.h"
#include "layout.h"
#include "registry.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/memory.h"

#include <dlfcn.h>
#include <limits.h>
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
    if (!folder_of_program(folder, sizeof folder))
        return false;
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

void object_own_path(const struct cell *cell, char *path, size_t size)
{
    char name[CELL_OBJECT_SIZE];
    cell_object_name(cell, name);
    snprintf(path, size, "%s/%s.so", cell->entry->objects, name);
}

/* Says why an object is not there: the compiler's first error, or that nobody has compiled the kernel. */
static void tell_unbuilt(const char *path, char *why, size_t size)
{
    char *said = memory_print("%.*swhy", (int)(strlen(path) - strlen("so")), path), *text = file_read(said, NULL);
    const char *line = text ? strstr(text, "error:") : NULL;
    while (line && line > text && line[-1] != '\n')
        line--;
    if (!line)
        line = text && *text ? text : "the kernel is not compiled";
    snprintf(why, size, "%.*s", (int)strcspn(line, "\n"), line);
    free(text);
    free(said);
}

void *object_own(const struct cell *cell, char *why, size_t size)
{
    static struct opened {
        char path[PATH_MAX];
        void *object;
        struct opened *next;
    } * opened;
    char path[PATH_MAX];
    object_own_path(cell, path, sizeof path);
    for (const struct opened *at = opened; at; at = at->next)
        if (strcmp(at->path, path) == 0)
            return at->object;
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (object) {
        struct opened *first = memory_allocate(1, sizeof *first);
        *first = (struct opened){.object = object, .next = opened};
        snprintf(first->path, sizeof first->path, "%s", path);
        opened = first;
    } else if (access(path, R_OK) == 0) {
        snprintf(why, size, "%.200s", dlerror());
    } else {
        tell_unbuilt(path, why, size);
    }
    return object;
}

const struct variant *object_build(const struct cell *cell, char *why, size_t size)
{
    if (!cell->entry->objects || registry_backends[cell->entry->backend].made != MADE_BUILDS) {
        const struct variant *linked = cell_variant(cell);
        if (!linked)
            snprintf(why, size, "this program has no such build");
        return linked;
    }
    void *object = object_own(cell, why, size);
    char name[CELL_OBJECT_SIZE];
    cell_object_name(cell, name);
    return object ? object_entry(object, cell, name) : NULL;
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
