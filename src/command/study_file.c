/* The experiment files that a command line names.
 * SPDX-License-Identifier: MIT */
#include "study_file.h"

#include "base/escape.h"
#include "base/memory.h"
#include "base/suggest.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *study_file_path(const char *text)
{
    if (strchr(text, '/') || strchr(text, '.') || access(text, F_OK) == 0)
        return text;
    char *path = memory_print("experiments/%s.yaml", text);
    if (access(path, F_OK) == 0)
        return path;
    free(path);
    return text;
}

/* Cuts the folder and .yaml off a path. The caller frees the name. */
static char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path, *end = strstr(base, ".yaml");
    return memory_print("%.*s", end ? (int)(end - base) : (int)strlen(base), base);
}

static int is_experiment(const struct dirent *file)
{
    const size_t length = strlen(file->d_name);
    return length > 5 && strcmp(file->d_name + length - 5, ".yaml") == 0;
}

bool study_file_exists(const char *path)
{
    if (access(path, F_OK) == 0)
        return true;
    struct dirent **file;
    const int files = scandir("experiments", &file, is_experiment, alphasort);
    const size_t count = files > 0 ? (size_t)files : 0;
    char **names = memory_allocate(count, sizeof *names), *name = name_of(path);
    for (size_t i = 0; i < count; i++)
        names[i] = name_of(file[i]->d_name);
    const char *near = suggest_name(name, (const char *const *)names, count);
    fputs("tilelab: there is no experiment file '", stderr);
    escape_put(stderr, escape_terminal, path);
    char *near_path = near ? memory_print("experiments/%s.yaml", near) : NULL;
    fprintf(stderr, "'%s\n", suggest_words(near_path));
    free(near_path);
    for (size_t i = 0; i < count; i++) {
        free(names[i]);
        free(file[i]);
    }
    if (files >= 0)
        free(file);
    free(names);
    free(name);
    return false;
}
