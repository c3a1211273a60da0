/* The experiment files that a command line names.
 * SPDX-License-Identifier: MIT */
#include "study_file.h"

#include "base/escape.h"
#include "base/memory.h"
#include "base/suggest.h"
#include "base/text.h"
#include "own/own.h"

#include <dirent.h>
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

/* Adds the names of the files in a folder with this ending to the list. */
static void add_names(struct study_file_names *names, const char *folder, const char *ending)
{
    struct dirent **file;
    const int files = scandir(folder, &file, NULL, alphasort);
    names->name = memory_grow(names->name, names->count + (files > 0 ? (size_t)files : 0), sizeof *names->name);
    for (int i = 0; i < files; i++) {
        if (text_ends(file[i]->d_name, ending))
            names->name[names->count++] =
                memory_print("%.*s", (int)(strlen(file[i]->d_name) - strlen(ending)), file[i]->d_name);
        free(file[i]);
    }
    if (files >= 0)
        free(file);
}

void study_file_names_add_files(struct study_file_names *names)
{
    add_names(names, "experiments", ".yaml");
    add_names(names, ".", ".yaml");
}

void study_file_names_add_results(struct study_file_names *names, const char *folder)
{
    add_names(names, folder, ".results.csv");
}

bool study_file_names_have(const struct study_file_names *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->name[i], name) == 0)
            return true;
    return false;
}

void study_file_names_free(struct study_file_names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->name[i]);
    free(names->name);
}

/* The name, of those of the files in a folder with this ending, that is nearest to `name`; the caller frees it. NULL:
 * none. */
static char *nearest_in(const char *folder, const char *ending, const char *name)
{
    struct study_file_names names = {NULL, 0};
    add_names(&names, folder, ending);
    const char *near = suggest_name(name, (const char *const *)names.name, names.count);
    char *found = near ? memory_copy(near) : NULL;
    study_file_names_free(&names);
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

/* The end of a message that names the studies in experiments/; NULL: there are none. The caller frees it. */
static char *names_here(void)
{
    struct study_file_names names = {NULL, 0};
    char *text = NULL;
    add_names(&names, "experiments", ".yaml");
    for (size_t i = 0; i < names.count; i++)
        memory_append(&text, "%s%s", i > 0 ? " " : "; there are: ", names.name[i]);
    study_file_names_free(&names);
    return text;
}

/* Tells that there is no such file. */
static void tell_missing(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *name = study_file_name(path),
         *folder = slash ? memory_print("%.*s", (int)(slash - path), path) : memory_copy(".");
    char *near = nearest_file(folder, name);
    if (!near)
        near = nearest_file("experiments", name);
    char *known = near || slash ? NULL : names_here();
    escape_tell("tilelab: there is no experiment file '%s'%s%s", path,
                suggest_words(near && strncmp(near, "./", 2) == 0 ? near + 2 : near), known ? known : "");
    free(known);
    free(near);
    free(folder);
    free(name);
}

struct yaml *study_file_open(const char *path)
{
    if (access(path, F_OK) != 0) {
        tell_missing(path);
        return NULL;
    }
    struct yaml *yaml = yaml_read(path);
    own_use_experiment(yaml);
    return yaml;
}
