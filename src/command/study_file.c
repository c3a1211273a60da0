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
    static const char *const folders[] = {"experiments/", ""};
    if (strchr(text, '/') || strchr(text, '.') || access(text, F_OK) == 0)
        return text;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char *path = memory_print("%s%s.yaml", folders[i], text);
        if (access(path, F_OK) == 0)
            return path;
        free(path);
    }
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

/* The name, of those of the files in a folder with this ending, that is nearest to `name`; the caller frees it. NULL:
 * none. */
static char *nearest_in(const char *folder, const char *ending, const char *name)
{
    struct dirent **file;
    const int files = scandir(folder, &file, NULL, alphasort);
    char **names = memory_allocate(files > 0 ? (size_t)files : 0, sizeof *names);
    size_t count = 0;
    for (int i = 0; i < files; i++) {
        if (text_ends(file[i]->d_name, ending))
            names[count++] = memory_print("%.*s", (int)(strlen(file[i]->d_name) - strlen(ending)), file[i]->d_name);
        free(file[i]);
    }
    const char *near = suggest_name(name, (const char *const *)names, count);
    char *found = near ? memory_copy(near) : NULL;
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    if (files >= 0)
        free(file);
    free(names);
    return found;
}

char *study_file_near_results(const char *folder, const char *name)
{
    return nearest_in(folder, ".results.csv", name);
}

/* The path of the experiment file in a folder whose name is nearest to the name; the caller frees it. NULL: none. */
static char *nearest_file(const char *folder, const char *name)
{
    char *near = nearest_in(folder, ".yaml", name);
    char *path = near ? memory_print("%s/%s.yaml", folder, near) : NULL;
    free(near);
    return path;
}

bool study_file_exists(const char *path)
{
    if (access(path, F_OK) == 0)
        return true;
    const char *slash = strrchr(path, '/');
    char *name = study_file_name(path),
         *folder = slash ? memory_print("%.*s", (int)(slash - path), path) : memory_copy(".");
    char *near = nearest_file(folder, name);
    if (!near)
        near = nearest_file("experiments", name);
    escape_tell("tilelab: there is no experiment file '%s'%s", path,
                suggest_words(near && strncmp(near, "./", 2) == 0 ? near + 2 : near));
    free(near);
    free(folder);
    free(name);
    return false;
}
