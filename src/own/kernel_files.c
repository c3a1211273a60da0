/* Kernel files of the source tree that are no variants of this program.
 * SPDX-License-Identifier: MIT */
#include "kernel_files.h"

#include "registry.h"
#include "base/escape.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const suffixes[] = {
#define BACKEND(id, name, suffix, kind, made, devices, axes) suffix,
#include "backends.def"
#undef BACKEND
};

/* Whether a file name has a backend's suffix, and the file neither states nor checks a problem. */
static bool looks_like_kernel(const char *name)
{
    const char *dot = strrchr(name, '.');
    bool has_suffix = false;
    for (size_t i = 0; dot && i < sizeof suffixes / sizeof *suffixes; i++)
        has_suffix |= strcmp(dot, suffixes[i]) == 0;
    return has_suffix && *name != '.' && strcmp(name, "problem.c") != 0 && strncmp(name, "verify", 6) != 0;
}

static bool is_known(const char *path)
{
    size_t count;
    const struct entry *entry = registry(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(entry[i].file, path) == 0)
            return true;
    return false;
}

static void warn_of(const char *folder, FILE *out)
{
    struct dirent **file;
    const int files = scandir(folder, &file, NULL, alphasort);
    for (int i = 0; i < files; i++) {
        char path[1024];
        const int length = snprintf(path, sizeof path, "%s/%s", folder, file[i]->d_name);
        if (looks_like_kernel(file[i]->d_name) && length < (int)sizeof path && !is_known(path)) {
            fputs("warning: ", out);
            escape_put(out, escape_terminal, path);
            fputs(" is no variant of this program; give it a line in kernels/registry.def, and build again\n", out);
        }
        free(file[i]);
    }
    if (files >= 0)
        free(file);
}

void kernel_files_warn(FILE *out)
{
    struct dirent **problem;
    if (access("kernels/registry.def", R_OK) != 0)
        return;
    const int problems = scandir("kernels", &problem, NULL, alphasort);
    for (int i = 0; i < problems; i++) {
        char folder[300];
        snprintf(folder, sizeof folder, "kernels/%s", problem[i]->d_name);
        if (problem[i]->d_name[0] != '.' && strcmp(problem[i]->d_name, "common") != 0)
            warn_of(folder, out);
        free(problem[i]);
    }
    if (problems >= 0)
        free(problem);
}
