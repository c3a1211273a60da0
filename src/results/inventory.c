/* What a data folder holds of each study.
 * SPDX-License-Identifier: MIT */
#include "inventory.h"

#include "store.h"
#include "base/escape.h"
#include "base/memory.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char temporary_suffix[] = ".new";

static int64_t file_bytes(const char *path)
{
    struct stat file;
    return stat(path, &file) == 0 && S_ISREG(file.st_mode) ? (int64_t)file.st_size : 0;
}

/* The study that a file belongs to: the name up to its first dot, without a dot in front. False if it has none. */
static bool study_of(const char *name, char study[INVENTORY_STUDY_SIZE])
{
    name += *name == '.';
    const size_t length = strcspn(name, ".");
    if (length == 0 || length >= INVENTORY_STUDY_SIZE || !name[length])
        return false;
    snprintf(study, INVENTORY_STUDY_SIZE, "%.*s", (int)length, name);
    return true;
}

static struct inventory *inventory_of(struct inventory **list, size_t *count, const char *study)
{
    for (size_t i = 0; i < *count; i++)
        if (strcmp((*list)[i].study, study) == 0)
            return &(*list)[i];
    *list = memory_grow(*list, *count + 1, sizeof **list);
    struct inventory *fresh = &(*list)[(*count)++];
    *fresh = (struct inventory){.temporary = 0};
    snprintf(fresh->study, sizeof fresh->study, "%s", study);
    return fresh;
}

/* Adds what the names and sizes of a folder's files tell. */
static bool add_files(const char *folder, struct inventory **list, size_t *count)
{
    DIR *directory = opendir(folder);
    if (!directory)
        return false;
    for (const struct dirent *entry; (entry = readdir(directory));) {
        const char *name = entry->d_name;
        const bool temporary = text_ends(name, temporary_suffix), journal = text_ends(name, ".journal"),
                   csv = text_ends(name, ".csv");
        char path[1024], owner[INVENTORY_STUDY_SIZE];
        /* A file such as model-against-counters.csv belongs to no study. */
        if (!(temporary || journal || csv || text_ends(name, ".run.json")) || !study_of(name, owner) ||
            (csv && strcmp(name + strlen(owner), ".csv") == 0))
            continue;
        struct inventory *study = inventory_of(list, count, owner);
        snprintf(path, sizeof path, "%s/%s", folder, name);
        study->temporary += temporary;
        study->has_results |= journal || text_ends(name, ".results.csv");
        *(temporary ? &study->temporary_bytes
          : journal ? &study->journal_bytes
                    : &study->csv_bytes) += temporary || journal || csv ? file_bytes(path) : 0;
    }
    closedir(directory);
    return true;
}

/* Whether experiments/<study>.yaml or <study>.yaml is there, or no folder experiments/. */
static bool has_file(const char *study)
{
    static const char folder[] = "experiments/";
    char path[256];
    struct stat file;
    snprintf(path, sizeof path, "%s%s.yaml", folder, study);
    return stat(folder, &file) != 0 || stat(path, &file) == 0 || stat(path + strlen(folder), &file) == 0;
}

static int by_study(const void *left, const void *right)
{
    const struct inventory *a = left, *b = right;
    return strcmp(a->study, b->study);
}

int inventory_find(const char *folder, struct inventory **list)
{
    size_t count = 0;
    *list = NULL;
    if (!add_files(folder, list, &count)) {
        const int error = errno;
        escape_tell("tilelab: %s: %s%s", folder, strerror(error), error == ENOENT ? INVENTORY_REMEDY : "");
        return -1;
    }
    char *journals = store_journals(folder);
    add_files(journals, list, &count);
    free(journals);
    for (size_t i = 0; i < count; i++)
        (*list)[i].has_file = has_file((*list)[i].study);
    if (count > 0)
        qsort(*list, count, sizeof **list, by_study);
    return (int)count;
}

static void visit_folder(const char *folder, const char *study, void (*visit)(void *context, const char *path),
                         void *context)
{
    DIR *directory = opendir(folder);
    if (!directory)
        return;
    for (const struct dirent *entry; (entry = readdir(directory));) {
        char path[1024], owner[INVENTORY_STUDY_SIZE];
        if (text_ends(entry->d_name, temporary_suffix) && study_of(entry->d_name, owner) && strcmp(owner, study) == 0) {
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
            visit(context, path);
        }
    }
    closedir(directory);
}

void inventory_visit_temporary(const char *folder, const char *study, void (*visit)(void *context, const char *path),
                               void *context)
{
    char *journals = store_journals(folder);
    visit_folder(folder, study, visit, context);
    visit_folder(journals, study, visit, context);
    free(journals);
}

void inventory_print_bytes(int64_t bytes, char text[INVENTORY_BYTES_SIZE])
{
    static const char *const units[] = {"kB", "MB", "GB", "TB"};
    double size = 1e-3 * (double)bytes;
    size_t u = 0;
    for (; u < 3 && size >= 1000; u++)
        size *= 1e-3;
    snprintf(text, INVENTORY_BYTES_SIZE, "%.*f %s", size < 10 ? 2 : size < 100 ? 1 : 0, size, units[u]);
}
