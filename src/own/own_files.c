/* Finds the kernels and problems in a user's folder.
 * SPDX-License-Identifier: MIT */
#include "own_parts.h"

#include "base/file.h"
#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define NAME_CHARACTERS "abcdefghijklmnopqrstuvwxyz0123456789_"

/* The backend of a suffix whose files one process runs; BACKENDS: none. */
static enum backend_id backend_of_suffix(const char *suffix)
{
    static const char *const suffixes[BACKENDS] = {
#define BACKEND(id, name, suffix, kind, made, devices, axes) suffix,
#include "backends.def"
#undef BACKEND
    };
    int id = 0;
    while (id < BACKENDS && strcmp(suffixes[id], suffix) != 0)
        id++;
    return (enum backend_id)id;
}

/* Copies the name at *at, and steps behind it and the sign that must follow. NULL: there is no such name. */
static char *take_name(const char **at, char sign)
{
    static const char blanks[] = " \t\n";
    *at += strspn(*at, blanks);
    const size_t length = strcspn(*at, " \t\n,()");
    char *name = memory_print("%.*s", (int)length, *at);
    *at += length;
    *at += strspn(*at, blanks);
    if (length > 0 && *(*at)++ == sign)
        return name;
    free(name);
    return NULL;
}

/* Reads "VARIANT(problem, name)" at the start of a line of the text. */
static bool find_variant(const char *text, struct own_file *file)
{
    static const char word[] = "VARIANT(";
    for (const char *at = text; (at = strstr(at, word));) {
        const bool begins = at == text || at[-1] == '\n';
        at += sizeof word - 1;
        if (begins && (file->problem = take_name(&at, ',')) && (file->name = take_name(&at, ')')))
            return true;
    }
    return false;
}

static bool includes(const char *text, const char *header)
{
    char *line = memory_print("#include \"%s\"", header);
    const bool found = strstr(text, line) != NULL;
    free(line);
    return found;
}

static bool is_name(const char *text)
{
    return text[strspn(text, NAME_CHARACTERS)] == '\0';
}

/* Says why a kernel's file cannot be used; NULL: nothing is known against it. */
static char *refuse(const struct own_file *file, const char *text, const char *stem)
{
    enum { LONGEST = 30 };
    if (file->is_problem && !is_name(file->problem))
        return memory_copy("the folder of a problem has a name of a-z, 0-9 and _");
    if (!is_name(file->problem) || !is_name(file->name))
        return memory_print("the file holds VARIANT(%s, %s); names in it have a-z, 0-9 and _", file->problem,
                            file->name);
    if (!is_name(stem))
        return memory_print("the file holds VARIANT(%s, %s); rename the file to %s%s", file->problem, file->name,
                            file->name, strrchr(file->path, '.'));
    if (strcmp(stem, file->name) != 0)
        return memory_print("the file holds VARIANT(%s, %s); write VARIANT(%s, %s), or rename the file to %s%s",
                            file->problem, file->name, file->problem, stem, file->name, strrchr(file->path, '.'));
    if (strlen(file->name) > LONGEST || strlen(file->problem) > LONGEST / 2)
        return memory_print("a name has at most %d characters, and that of a problem %d", LONGEST, LONGEST / 2);
    if (includes(text, "team_variant.h"))
        return memory_copy("a variant over several processes belongs into the tree of tilelab, see CONTRIBUTING.md");
    if (file->backend == BACKEND_BLAS && strncmp(file->name, "blas", 4) != 0)
        return memory_copy("a kernel that includes blas.h has a name that begins with blas");
    return NULL;
}

static void keep(struct own_file **files, size_t *count, struct own_file file)
{
    *files = memory_grow(*files, *count + 1, sizeof **files);
    (*files)[(*count)++] = file;
}

/* Adds something that cannot be read, with the reason in errno. */
static void keep_unread(struct own_file **files, size_t *count, const char *path, const char *shown)
{
    const int error = errno;
    keep(files, count,
         (struct own_file){.path = memory_copy(path),
                           .shown = memory_copy(shown),
                           .problem = memory_copy(""),
                           .name = memory_copy(""),
                           .backend = BACKENDS,
                           .why = memory_print("it cannot be read: %s", strerror(error))});
}

/* Adds the file if it holds a kernel or a problem. `folder` is the name of the folder in the user's, or NULL. */
static void add(struct own_file **files, size_t *count, const char *path, const char *shown, const char *folder)
{
    const char *base = strrchr(path, '/') + 1, *dot = strrchr(base, '.');
    struct own_file file = {.is_problem = folder && strcmp(base, "problem.c") == 0};
    struct stat about;
    if (!dot || *base == '.' || (file.backend = backend_of_suffix(dot)) == BACKENDS)
        return;
    const bool is_there = stat(path, &about) == 0;
    if (is_there && !S_ISREG(about.st_mode))
        return;
    char *text = is_there ? file_read(path, NULL) : NULL;
    if (!text)
        keep_unread(files, count, path, shown);
    if (text && file.is_problem) {
        file.problem = memory_copy(folder);
        file.name = memory_copy("problem");
    }
    if (text && (file.is_problem || find_variant(text, &file))) {
        char *stem = memory_print("%.*s", (int)(dot - base), base);
        if (file.backend == BACKEND_CPU && includes(text, "blas.h"))
            file.backend = BACKEND_BLAS;
        file.path = memory_copy(path);
        file.shown = memory_copy(shown);
        file.why = refuse(&file, text, stem);
        keep(files, count, file);
        free(stem);
    }
    free(text);
}

/* Looks at what a folder holds. `inner`: the name of this folder in the user's; NULL: it is the user's folder. */
static void look(struct own_file **files, size_t *count, const char *path, const char *shown, const char *inner)
{
    struct dirent **entry;
    const int entries = scandir(path, &entry, NULL, alphasort);
    if (entries < 0)
        keep_unread(files, count, path, shown);
    for (int i = 0; i < entries; i++) {
        const char *name = entry[i]->d_name;
        char *inside = memory_print("%s/%s", path, name), *shown_inside = memory_print("%s/%s", shown, name);
        struct stat about;
        if (*name != '.' && !inner && stat(inside, &about) == 0 && S_ISDIR(about.st_mode))
            look(files, count, inside, shown_inside, name);
        else
            add(files, count, inside, shown_inside, inner);
        free(inside);
        free(shown_inside);
        free(entry[i]);
    }
    if (entries >= 0)
        free(entry);
}

static int by_kind(const void *a, const void *b)
{
    const struct own_file *x = a, *y = b;
    if (x->is_problem != y->is_problem)
        return y->is_problem - x->is_problem;
    const int order = strcmp(x->problem, y->problem);
    return order ? order : strcmp(x->name, y->name) ? strcmp(x->name, y->name) : strcmp(x->path, y->path);
}

struct own_file *own_files(const char *folder, const char *path, size_t *count)
{
    struct own_file *files = memory_grow(NULL, 1, sizeof *files);
    *count = 0;
    look(&files, count, path, folder, NULL);
    qsort(files, *count, sizeof *files, by_kind);
    return files;
}

const char *own_files_made(const struct own_file *file)
{
    static const char *const names[] = {
        [MADE_BUILDS] = "builds", [MADE_LIBRARIES] = "libraries", [MADE_DEVICE] = "device", [MADE_TEAM] = "team"};
    return file->is_problem ? "problem" : names[registry_backends[file->backend].made];
}
