/* The experiment files that a command line names.
 * SPDX-License-Identifier: MIT */
#include "study_file.h"

#include "base/escape.h"
#include "base/memory.h"
#include "base/suggest.h"
#include "base/text.h"

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

char *study_file_name(const char *text)
{
    const char *slash = strrchr(text, '/');
    char *name = memory_copy(slash ? slash + 1 : text);
    if (text_ends(name, ".yaml"))
        name[strlen(name) - strlen(".yaml")] = '\0';
    return name;
}

static int is_experiment(const struct dirent *file)
{
    return text_ends(file->d_name, ".yaml");
}

bool study_file_exists(const char *path)
{
    if (access(path, F_OK) == 0)
        return true;
    struct dirent **file;
    const int files = scandir("experiments", &file, is_experiment, alphasort);
    const size_t count = files > 0 ? (size_t)files : 0;
    char **names = memory_allocate(count, sizeof *names), *name = study_file_name(path);
    for (size_t i = 0; i < count; i++)
        names[i] = study_file_name(file[i]->d_name);
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
