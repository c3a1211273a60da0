/* Compiles a CPU kernel of the program once more, with further flags, into a shared object.
 * SPDX-License-Identifier: MIT */
#include "rebuild.h"

#include "base/folder.h"
#include "base/memory.h"
#include "base/process.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORDS_MAX = 64 };

/* The words of a compile line that decide what the language is, as "-std=c11" and "-fopenmp". */
static size_t split_language(char *line, const char **words)
{
    size_t count = 0;
    char *rest = NULL;
    for (char *word = strtok_r(line, " ", &rest); word && count < WORDS_MAX / 2; word = strtok_r(NULL, " ", &rest))
        if (strncmp(word, "-std=", 5) == 0 || strncmp(word, "-f", 2) == 0)
            words[count++] = word;
    return count;
}

char *rebuild_root(const struct entry *entry)
{
    if (entry->objects)
        return memory_copy(entry->objects); /* laid out as the tree, see tools/own-kernel */
    if (access(entry->file, R_OK) == 0)
        return memory_print(".");
    char *file = folder_installed(entry->file);
    if (file)
        file[strlen(file) - strlen(entry->file) - 1] = '\0';
    return file;
}

static int compile_child(const void *context)
{
    const char *const *words = context;
    return process_become(words[0], words);
}

bool rebuild_compile(const char *gcc, const struct rebuild *rebuild)
{
    const struct entry *const entry = rebuild->cell->entry;
    const char *const precision = cell_precision_names[rebuild->cell->precision];
    char *const line = memory_copy(entry->compile_line), build[CELL_OBJECT_SIZE];
    cell_object_name(rebuild->cell, build);
    char *const own[] = {
        memory_print("-I%s/src", rebuild->root),
        memory_print("-I%s/kernels", rebuild->root),
        /* The user's own path of the user's own kernel; `file` is then the place of its copy. */
        entry->shown ? memory_print("-ffile-prefix-map=%s/%s=%s", rebuild->root, entry->file, entry->shown)
                     : memory_print("-ffile-prefix-map=%s/=", rebuild->root),
        memory_print("-DTILELAB_%c%s", toupper(precision[0]), precision + 1),
        memory_print("-DTILELAB_BUILD=_%s", build),
        memory_print("%s/%s", rebuild->root, entry->file),
    };
    enum { OWN = sizeof own / sizeof *own };
    const char *words[2 * WORDS_MAX] = {gcc};
    size_t count = 1 + split_language(line, words + 1);
    for (const char *const *flag = rebuild->flags; *flag && count < 2 * WORDS_MAX - OWN - 7; flag++)
        words[count++] = *flag;
    const char *const shared[] = {"-w", "-fPIC", "-shared", "-o", rebuild->file};
    memcpy(words + count, shared, sizeof shared);
    count += sizeof shared / sizeof *shared;
    memcpy(words + count, own, sizeof own);
    struct process child;
    bool made = process_start(&child, 0, compile_child, words) == 0;
    if (made) {
        while (!process_await(&child, 1))
            continue;
        made = WIFEXITED(child.status) && WEXITSTATUS(child.status) == 0;
    }
    for (size_t i = 0; i < OWN; i++)
        free(own[i]);
    free(line);
    return made;
}
