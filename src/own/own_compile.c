/* Compiles the files of a user's folder into a cache, by tools/own-kernel.
 * SPDX-License-Identifier: MIT */
#include "own_parts.h"

#include "cell.h"
#include "backend/object.h"
#include "base/escape.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/process.h"
#include "base/tool.h"
#include "machine/host.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* What the build tells of its compilers; it lies where the shared objects of the backends lie. */
#define SETTINGS "compile.conf"

enum { TEXT_SIZE = 1 << 18, ARGUMENTS = 16, ROOM = 1 << 17 };
static const double LIMIT_S = 900; /* nvcc takes minutes for some kernels */

/* ---- The cache ---- */

/* The folder that holds a folder for each file. */
static const char *cache(void)
{
    static char *folder;
    char own[PATH_MAX];
    const char *named = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (folder)
        return folder;
    if (named && *named == '/')
        folder = memory_print("%s/tilelab/kernels", named);
    else if (home && *home == '/')
        folder = memory_print("%s/.cache/tilelab/kernels", home);
    if (folder && folder_make(folder) && access(folder, W_OK) == 0)
        return folder;
    free(folder);
    folder = folder_own("tilelab-kernels", own, sizeof own) ? memory_copy(own) : NULL;
    return folder;
}

/* Adds what tells a program from its next version: path, size and time. */
static void add_tool(char **text, const char *path)
{
    struct stat about = {0};
    char *real = realpath(path, NULL);
    if (real && stat(real, &about) == 0)
        memory_append(text, "%s %lld %lld.%09ld\n", real, (long long)about.st_size, (long long)about.st_mtim.tv_sec,
                      about.st_mtim.tv_nsec);
    free(real);
}

/* Adds what decides the objects of all files: this program, its compilers, and the instruction set that a description
 * is built for. */
static void add_tools(char **text)
{
    static const char *const settings[] = {"\ncc=", "\nnvcc=", "\nsycl="};
    char path[PATH_MAX], found[PATH_MAX],
        *conf = object_path(SETTINGS, path, sizeof path) ? file_read(path, NULL) : NULL;
    char *lines = memory_print("\n%s", conf ? conf : "");
    add_tool(text, PROCESS_SELF);
    memory_append(text, "%s\n", cell_isa_names[host_get()->isa_best]);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        const char *at = strstr(lines, settings[i]);
        char *name =
            at ? memory_print("%.*s", (int)strcspn(at + strlen(settings[i]), " \\\n"), at + strlen(settings[i]))
               : memory_copy("");
        if (strchr(name, '/') || tool_find(name, false, found, sizeof found))
            add_tool(text, strchr(name, '/') ? name : found);
        free(name);
    }
    free(lines);
    free(conf);
}

/* Adds the hash of a file. */
static void add_file(char **text, const char *path)
{
    char hex[HASH_DIGITS + 1];
    hash_file(path, hex, HASH_DIGITS);
    memory_append(text, "%s %s\n", strrchr(path, '/') + 1, hex);
}

/* How the names of headers end. tools/own-kernel lets a kernel include these alone. */
static const char header_suffixes[] = " h cuh hpp inc def ";

static int is_header(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    char word[16];
    return dot && snprintf(word, sizeof word, " %s ", dot + 1) < (int)sizeof word && strstr(header_suffixes, word);
}

/* Adds the headers of a folder. */
static void add_headers(char **text, const char *folder)
{
    struct dirent **entry;
    const int entries = scandir(folder, &entry, is_header, alphasort);
    for (int i = 0; i < entries; i++) {
        char *path = memory_print("%s/%s", folder, entry[i]->d_name);
        add_file(text, path);
        free(path);
        free(entry[i]);
    }
    if (entries >= 0)
        free(entry);
}

/* The file's folder in the cache. */
static char *objects_of(const char *folder, const struct own_file *file)
{
    char hex[HASH_DIGITS + 1], *text = NULL, *common = memory_print("%s/common", folder);
    char *home = memory_print("%.*s", (int)(strrchr(file->path, '/') - file->path), file->path);
    add_tools(&text);
    memory_append(&text, "%s %s %s\n", file->problem, file->name, file->path);
    add_file(&text, file->path);
    add_headers(&text, home);
    add_headers(&text, common);
    hash_hex(text, strlen(text), hex, HASH_DIGITS);
    free(common);
    free(home);
    free(text);
    return memory_print("%s/%.40s", cache(), hex);
}

/* Removes what was not used for a month. */
static void clean_cache(void)
{
    const time_t MONTH_S = 30 * 24 * 3600;
    DIR *all = opendir(cache());
    for (const struct dirent *entry; all && (entry = readdir(all));) {
        char *path = memory_print("%s/%s", cache(), entry->d_name);
        struct stat about;
        if (entry->d_name[0] != '.' && lstat(path, &about) == 0 && time(NULL) - about.st_mtime > MONTH_S)
            folder_remove(path);
        free(path);
    }
    if (all)
        closedir(all);
}

/* ---- The compiler ---- */

/* In a child. */
static int become_script(const void *context)
{
    char bash[PATH_MAX];
    const char *const *arguments = context;
    dup2(STDOUT_FILENO, STDERR_FILENO);
    setenv("HEADER_SUFFIXES", header_suffixes, 1);
    return tool_find("bash", false, bash, sizeof bash) ? process_become(bash, arguments) : PROCESS_CANNOT_START;
}

/* Starts the script. Returns 0 or an errno. */
static int start_script(struct process *child, const char *const words[], size_t count)
{
    const char *arguments[ARGUMENTS] = {"bash"};
    char *script = folder_installed("tools/own-kernel");
    if (!script)
        return ENOENT;
    arguments[1] = script;
    for (size_t i = 0; i < count && i + 3 < ARGUMENTS; i++)
        arguments[i + 2] = words[i];
    const int failed = process_start(child, PROCESS_OUTPUT, become_script, arguments);
    free(script);
    return failed;
}

/* What the script has printed, with the end of a line behind it; the caller frees it. *right: whether it was done. */
static char *end_script(struct process *child, bool *right)
{
    char *text = memory_allocate(TEXT_SIZE, 1);
    const bool whole = process_collect(child, text, TEXT_SIZE, LIMIT_S);
    *right = whole && WIFEXITED(child->status) && WEXITSTATUS(child->status) == 0;
    if (!whole)
        memory_append(&text, "the compiler takes too long, or prints too much\n");
    /* The programs that the script calls say many things then, or nothing. */
    struct statvfs medium;
    if (!*right && statvfs(cache(), &medium) == 0 && medium.f_bavail * medium.f_frsize < ROOM) {
        free(text);
        text = memory_print("there is no space left for compiled kernels in %s: free some, or let XDG_CACHE_HOME name "
                            "another place",
                            cache());
    }
    return text;
}

static void print(const char *text)
{
    for (const char *end; *text; text = *end ? end + 1 : end) {
        end = text + strcspn(text, "\n");
        char *line = memory_print("%.*s", (int)(end - text), text);
        escape_tell("%s", line);
        free(line);
    }
}

/* Why no file of a folder can be compiled; NULL: they can. */
static const char *nothing_compiles(void)
{
    static const char *const needed[] = {"tools/own-kernel", "src/variant.h"};
    char settings[PATH_MAX];
    if (!object_path(SETTINGS, settings, sizeof settings))
        return "compile.conf, which tells how to compile, is not beside the program; `make install` copies it";
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
        char *path = folder_installed(needed[i]);
        free(path);
        if (!path)
            return "the headers for kernels are not beside the program; `make install` copies them";
    }
    return cache() ? NULL : "no folder can be made for compiled kernels; XDG_CACHE_HOME names another place";
}

/* Starts the compilation of a file's description. Returns 0 or an errno. */
static int start(struct process *child, const char *folder, const char *base, const struct own_file *file)
{
    char conf[PATH_MAX];
    const char *made = own_files_made(file), *isa = cell_isa_names[host_get()->isa_best];
    char builds[PRECISIONS][32];
    const char *words[] = {"describe", folder, conf,        made,      file->problem, file->name,
                           file->path, base,   file->shown, builds[0], builds[1],     builds[2]};
    size_t count = sizeof words / sizeof *words;
    const char *const precisions[] = {"f64", "f32", "i32"};
    for (int i = 0; i < PRECISIONS; i++)
        snprintf(builds[i], sizeof builds[i], "%s_O3_%s", precisions[i], isa);
    if (strcmp(made, "builds") != 0) {
        snprintf(builds[0], sizeof builds[0], file->is_problem ? "problem" : "description");
        count -= PRECISIONS - 1;
    }
    return object_path(SETTINGS, conf, sizeof conf) ? start_script(child, words, count) : ENOENT;
}

/* Takes the end of such a compilation. */
static void finish(struct process *child, struct own_file *file)
{
    bool right;
    char *text = end_script(child, &right);
    if (right)
        print(text);
    else
        file->why = memory_copy(*text ? text : "the compiler fails, and says nothing");
    free(text);
}

/* The compilations that are under way. */
struct running {
    struct process *child;
    struct own_file **file;
    size_t count;
};

static void finish_all(struct running *running)
{
    for (size_t i = 0; i < running->count; i++)
        finish(&running->child[i], running->file[i]);
    running->count = 0;
}

/* Starts the compilation of a file that the cache lacks. */
static void compile(struct running *running, const char *folder, struct own_file *file, bool quiet)
{
    file->objects = objects_of(folder, file);
    char *facts = memory_print("%s/facts", file->objects);
    if (access(facts, R_OK) == 0) {
        utimensat(AT_FDCWD, file->objects, NULL, 0); /* for clean_cache */
    } else if (quiet) {
        file->why = memory_copy("the cache lacks it");
    } else {
        escape_tell("compiling %s", file->shown);
        const int failed = start(&running->child[running->count], file->objects, folder, file);
        if (failed)
            file->why = memory_copy(strerror(failed));
        else
            running->file[running->count++] = file;
    }
    free(facts);
}

void own_compile(const char *path, struct own_file *files, size_t count, bool quiet)
{
    const size_t most = (size_t)host_get()->cores;
    struct running running = {memory_allocate(most, sizeof *running.child), memory_allocate(most, sizeof *running.file),
                              0};
    const char *why = nothing_compiles();
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        if (why && !files[i].why)
            files[i].why = memory_copy(why);
        if (!files[i].why)
            compile(&running, path, &files[i], quiet);
        any |= running.count > 0;
        if (running.count == most)
            finish_all(&running);
    }
    finish_all(&running);
    if (any)
        clean_cache();
    free(running.file);
    free(running.child);
}

bool own_compile_one(const char *objects, const char *object, const char *shown)
{
    struct process child;
    const char *const words[] = {"build", objects, object, shown};
    bool right = false;
    escape_tell("compiling %s for %s", shown, object);
    const int failed = start_script(&child, words, sizeof words / sizeof *words);
    char *text = failed ? memory_copy(strerror(failed)) : end_script(&child, &right);
    print(text);
    free(text);
    return right;
}

char *own_compile_fact(const char *objects, const char *key)
{
    char *path = memory_print("%s/facts", objects), *text = file_read(path, NULL), *value = NULL;
    const size_t length = strlen(key);
    for (const char *line = text; line && *line && !value; line += strcspn(line, "\n"), line += *line == '\n')
        if (strncmp(line, key, length) == 0 && line[length] == '=')
            value = memory_print("%.*s", (int)strcspn(line + length + 1, "\n"), line + length + 1);
    free(text);
    free(path);
    return value ? value : memory_copy("");
}
