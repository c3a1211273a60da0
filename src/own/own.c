/* Adds the kernels and problems of a user's own folder to the registry.
 * SPDX-License-Identifier: MIT */
#include "own_parts.h"

#include "cell.h"
#include "base/escape.h"
#include "base/exit.h"
#include "base/folder.h"
#include "base/memory.h"
#include "verify/against.h"

#include <dlfcn.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What a process hands to those that it starts from itself: a line for each kernel and problem, "backend problem name
 * objects". */
#define HANDED "TILELAB_OWN_KERNELS"
/* The folders that a subcommand knows, one a line. */
#define FOLDERS "TILELAB_KERNELS"

static struct own_file *known; /* of all folders that were named */
static size_t known_count;
static bool any_left_out;
static bool compiles_nothing; /* own_compile_nothing was called */

/* The name of a kernel as an experiment has it, "matmul/omp-mine"; the caller frees it. */
static char *name_of(const struct own_file *file)
{
    char *name = memory_print("%s/%s", file->problem, file->name);
    for (char *at = name; *at; at++)
        *at = *at == '_' ? '-' : *at;
    return name;
}

/* ---- Loading ---- */

/* Opens an object of the cache and finds what it describes. NULL with `why`. */
static const void *load(const char *objects, const char *object, const char *symbol, char **why)
{
    char *path = memory_print("%s/%s.so", objects, object);
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const void *found = handle ? dlsym(handle, symbol) : NULL;
    if (!found)
        *why = memory_print("%s", handle ? "it does not define what it should" : dlerror());
    free(path);
    return found;
}

/* What a description must have; NULL: it has everything. */
static const char *lacks(const struct variant *variant, enum backend_id backend)
{
    const bool on_host = registry_backends[backend].kind == KIND_CPU;
    const bool needs_kernel = backend == BACKEND_OPENCL || backend == BACKEND_SYCL;
    return !variant->summary                  ? ".summary"
           : !variant->source                 ? ".source"
           : !variant->precisions             ? ".precisions"
           : on_host && !variant->run         ? ".run"
           : needs_kernel && !variant->kernel ? ".kernel"
           : !(variant->typical_gflops > 0)   ? ".typical_gflops"
                                              : NULL;
}

static const char *problem_lacks(const struct problem *problem)
{
    for (int i = 0; i < problem->operand_count && i < MAX_OPERANDS; i++)
        if (!problem->operand[i].name || !problem->operand[i].shape)
            return ".operand";
    return !problem->summary                                                     ? ".summary"
           : !problem->formula                                                   ? ".formula"
           : !problem->baseline                                                  ? ".baseline"
           : !problem->precisions                                                ? ".precisions"
           : problem->operand_count < 1 || problem->operand_count > MAX_OPERANDS ? ".operand_count"
           : !problem->flops                                                     ? ".flops"
           : !problem->bytes                                                     ? ".bytes"
           : !problem->generate                                                  ? ".generate"
           : !problem->verify                                                    ? ".verify"
                                                                                 : NULL;
}

/* Adds a problem whose object is in the cache. Returns why it cannot be, for free(), or NULL. */
static char *add_problem(const struct own_file *file)
{
    char *symbol = memory_print("problem_%s", file->problem), *why = NULL;
    const struct problem *problem = load(file->objects, "problem", symbol, &why);
    free(symbol);
    if (!problem)
        return why;
    if (!problem->name || strcmp(problem->name, file->problem) != 0)
        return memory_print(".name is not \"%s\", the name of the folder", file->problem);
    if (problem_lacks(problem))
        return memory_print("%s is missing", problem_lacks(problem));
    registry_add_problem(problem);
    return NULL;
}

/* Adds a kernel. */
static char *add_kernel(const struct own_file *file)
{
    char *build = own_compile_fact(file->objects, "description"), *missing, *why = NULL;
    char *symbol = memory_print("%s_%s", file->problem, file->name);
    char *described = strcmp(build, "description") == 0 ? memory_copy(symbol) : memory_print("%s_%s", symbol, build);
    const struct problem *problem = registry_problem(file->problem);
    const struct variant *meta = NULL;
    if (!problem)
        why = memory_print("there is no problem '%s'", file->problem);
    else
        meta = load(file->objects, build, described, &why);
    if (meta && lacks(meta, file->backend))
        why = memory_print("%s is missing in VARIANT(%s, %s)", lacks(meta, file->backend), file->problem, file->name);
    free(described);
    free(build);
    if (why) {
        free(symbol);
        return why;
    }
    missing = own_compile_fact(file->objects, "missing");
    registry_add(&(struct registry_line){
        .backend = file->backend,
        .problem = problem,
        .stem = memory_print("%s/%s", file->problem, file->name),
        .symbol = symbol,
        .path = memory_print("kernels/%s/%s%s", file->problem, file->name, registry_backends[file->backend].suffix),
        .meta = meta,
        .objects = file->objects,
        .shown = own_compile_fact(file->objects, "shown"),
        .missing = *missing ? missing : NULL,
        .source_hash = own_compile_fact(file->objects, "hash"),
        .compile_line = own_compile_fact(file->objects, "line"),
    });
    return NULL;
}

static char *add(const struct own_file *file)
{
    return file->is_problem ? add_problem(file) : add_kernel(file);
}

/* Loads what the parent of this process has loaded. What has failed there is not handed on. */
static void take_handed(void)
{
    const char *handed = getenv(HANDED);
    char *rest = handed ? memory_copy(handed) : NULL;
    for (char *line; (line = strsep(&rest, "\n"));) {
        struct own_file file = {.is_problem = *line == 'p'};
        int backend, read = 0;
        char problem[64], name[64];
        if (sscanf(line + (*line != '\0'), " %d %63s %63s %n", &backend, problem, name, &read) < 3 || read == 0)
            continue;
        file.backend = (enum backend_id)backend;
        file.problem = memory_copy(problem);
        file.name = memory_copy(name);
        file.objects = memory_copy(line + 1 + read);
        free(add(&file));
    }
}

/* Hands a file to the processes that this one starts. */
static void hand(const struct own_file *file)
{
    const char *handed = getenv(HANDED);
    char *text = memory_print("%s%c %d %s %s %s\n", handed ? handed : "", file->is_problem ? 'p' : 'k',
                              (int)file->backend, file->problem, file->name, file->objects);
    setenv(HANDED, text, 1);
    free(text);
}

/* ---- A folder ---- */

/* The other file that gives the same name, of the tree or of those that are known; NULL: there is none. */
static const char *namesake_of(const struct own_file *file)
{
    char *stem = memory_print("%s/%s", file->problem, file->name);
    const char *namesake = registry_file(stem);
    for (size_t i = 0; i < known_count && !namesake; i++)
        if (!known[i].why && strcmp(known[i].path, file->path) != 0 && strcmp(known[i].problem, file->problem) == 0 &&
            strcmp(known[i].name, file->name) == 0)
            namesake = known[i].shown;
    free(stem);
    return namesake;
}

/* Ends the program where two files give one name. */
static void check_namesake(const struct own_file *file)
{
    const char *namesake = namesake_of(file);
    if (!namesake)
        return;
    char *name = name_of(file);
    escape_tell("tilelab: two %s are named %s: %s and %s; rename one of them",
                file->is_problem ? "problems" : "kernels", file->is_problem ? file->problem : name, namesake,
                file->shown);
    exit(EXIT_USAGE);
}

/* Tells why a file is left out. The compiler's words name the file already. */
static void tell(const struct own_file *file)
{
    if (strstr(file->why, file->shown))
        for (const char *line = file->why, *end; *line; line = *end ? end + 1 : end) {
            end = line + strcspn(line, "\n");
            char *text = memory_print("%.*s", (int)(end - line), line);
            escape_tell("%s", text);
            free(text);
        }
    else
        escape_tell("tilelab: %s: %s", file->shown, file->why);
    char *name = name_of(file);
    escape_tell("tilelab: %s is left out", file->is_problem || !*file->name ? file->shown : name);
    free(name);
}

static bool is_known(const char *path)
{
    for (size_t i = 0; i < known_count; i++)
        if (strcmp(known[i].path, path) == 0)
            return true;
    return false;
}

/* Adds the files of a folder to those that are known, each once. Returns the first new one. */
static struct own_file *note_files(const char *folder, const char *path, size_t *count)
{
    const size_t before = known_count;
    struct own_file *files = own_files(folder, path, count);
    if (known_count + *count == 0)
        escape_tell("tilelab: no file in '%s' holds VARIANT(problem, file); `tilelab new` writes one", folder);
    known = memory_grow(known, known_count + *count, sizeof *known);
    for (size_t i = 0; i < *count; i++)
        if (!is_known(files[i].path))
            known[known_count++] = files[i];
    free(files);
    *count = known_count - before;
    return known + before;
}

/* Adds the kernels and problems of a folder. */
static void use(const char *folder, const char *path)
{
    size_t count;
    struct own_file *files = note_files(folder, path, &count);
    for (size_t i = 0; i < count; i++)
        if (!files[i].why)
            check_namesake(&files[i]);
    own_compile(path, files, count, false);
    for (size_t i = 0; i < count; i++) {
        if (!files[i].why)
            files[i].why = add(&files[i]);
        if (files[i].why)
            tell(&files[i]);
        else
            hand(&files[i]);
        any_left_out |= files[i].why != NULL;
    }
}

/* Adds what the cache has of a folder. After the first look at the registry it is too late, and nothing is added. */
static void know(const char *folder)
{
    size_t count = 0;
    char *path = registry_is_asked() ? NULL : realpath(folder, NULL);
    struct own_file *files = path && folder_exists(path) ? own_files(folder, path, &count) : NULL;
    own_compile(path, files, count, true);
    known = memory_grow(known, known_count + count, sizeof *known);
    for (size_t i = 0; i < count; i++)
        if (!files[i].why && !is_known(files[i].path) && !namesake_of(&files[i]) && !(files[i].why = add(&files[i]))) {
            hand(&files[i]);
            known[known_count++] = files[i];
        }
    free(files);
    free(path);
}

void own_compile_nothing(void)
{
    compiles_nothing = true;
}

/* Adds the kernels and problems of a folder. False with errno set if it cannot be read. */
static bool use_folder(const char *folder)
{
    if (compiles_nothing) {
        know(folder);
        return true;
    }
    char *path = realpath(folder, NULL);
    const bool is_read = path && folder_exists(path) && access(path, R_OK | X_OK) == 0;
    if (is_read)
        use(folder, path);
    const int error = errno;
    free(path);
    errno = error;
    return is_read;
}

void own_use(const char *folder)
{
    if (use_folder(folder))
        return;
    escape_tell("tilelab: the folder of kernels '%s' cannot be read: %s", folder, strerror(errno));
    exit(EXIT_USAGE);
}

/* The value of the key `kernels`; NULL: there is none. */
static const struct yaml_node *kernels_of(const struct yaml *yaml)
{
    const struct yaml_node *root = yaml_root(yaml);
    for (const struct yaml_node *key = root && root->kind == YAML_MAP ? root->child : NULL; key; key = key->next->next)
        if (strcmp(key->text, "kernels") == 0 && key->next->kind == YAML_SCALAR)
            return key->next;
    return NULL;
}

/* The folder that the file names, relative to the current one; the caller frees it. NULL: none. */
static char *folder_of_experiment(const struct yaml *yaml)
{
    const char *path = yaml_path(yaml), *slash = strrchr(path, '/');
    const struct yaml_node *node = kernels_of(yaml);
    if (!node)
        return NULL;
    return node->text[0] == '/' || !slash ? memory_copy(node->text)
                                          : memory_print("%.*s/%s", (int)(slash - path), path, node->text);
}

void own_use_experiment(struct yaml *yaml)
{
    char *folder = registry_is_asked() ? NULL : folder_of_experiment(yaml);
    /* A report has a copy of the file, and has named its folder already. */
    const bool is_copy = folder && access(folder, F_OK) != 0 && getenv(FOLDERS);
    if (folder && !is_copy && !use_folder(folder))
        yaml_fault(yaml, kernels_of(yaml), NULL, "the folder of kernels '%s' cannot be read: %s", folder,
                   strerror(errno));
    free(folder);
}

void own_know_experiment(const struct yaml *yaml)
{
    char *folder = folder_of_experiment(yaml);
    if (folder)
        know(folder);
    free(folder);
}

void own_export_experiment(const struct yaml *yaml)
{
    char *folder = folder_of_experiment(yaml);
    char *absolute = folder ? realpath(folder, NULL) : NULL;
    const char *before = getenv(FOLDERS);
    if (absolute) {
        char *folders = memory_print("%s%s%s", before ? before : "", before ? "\n" : "", absolute);
        setenv(FOLDERS, folders, 1);
        free(folders);
    }
    free(absolute);
    free(folder);
}

void own_inherit(bool internal)
{
    if (internal) {
        take_handed();
        return;
    }
    unsetenv(HANDED);
    const char *folders = getenv(FOLDERS);
    char *rest = folders ? memory_copy(folders) : NULL;
    for (char *folder; (folder = strsep(&rest, "\n"));)
        if (*folder)
            know(folder);
}

bool own_any_left_out(void)
{
    return any_left_out;
}

bool own_is_left_out(const char *pattern)
{
    bool found = false;
    for (size_t i = 0; i < known_count && !found; i++) {
        char *name = name_of(&known[i]);
        found = known[i].why && !known[i].is_problem &&
                fnmatch(pattern, strchr(pattern, '/') ? name : strchr(name, '/') + 1, 0) == 0;
        free(name);
    }
    return found;
}

/* Compiles what one cell needs. */
static bool build(const struct cell *cell)
{
    static char **failed; /* paths: the compiler's words are told once */
    static size_t fails;
    const struct entry *entry = cell->entry;
    if (!entry->objects || entry->missing || entry->backend == BACKEND_OPENCL)
        return true;
    char object[CELL_OBJECT_SIZE];
    cell_object_name(cell, object);
    char *path = memory_print("%s/%s.so", entry->objects, object);
    bool right = access(path, R_OK) == 0, told = false;
    for (size_t i = 0; i < fails && !told; i++)
        told = strcmp(failed[i], path) == 0;
    if (!right && !told && !(right = own_compile_one(entry->objects, object, entry->shown))) {
        failed = memory_grow(failed, fails + 1, sizeof *failed);
        failed[fails++] = path;
        any_left_out = true;
        return false;
    }
    free(path);
    return right;
}

bool own_build(const struct cell *cell)
{
    struct cell reference;
    if (against_cell(cell, &reference))
        build(&reference);
    return build(cell);
}
