/* The files of data folders that are joined: their studies, their cells in order, and what belongs to no study's rows.
 * SPDX-License-Identifier: MIT */
#include "merge_files.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/rewrite.h"
#include "results/listed.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What the files of a study end in; merge_host writes the first ones. */
static const char *const suffixes[] = {".results.csv", ".journal",     ".part.json",           ".samples.csv",
                                       ".history.csv", ".archive.csv", ".archive-samples.csv", ".archive-history.csv",
                                       ".run.json"};
enum { SUFFIXES = sizeof suffixes / sizeof *suffixes, OF_STUDY = 3 };

/* The suffix of a file's name among the first `count`, or NULL. */
static const char *suffix_of(const char *name, size_t count)
{
    const size_t length = strlen(name);
    for (size_t i = 0; i < count; i++) {
        const size_t end = strlen(suffixes[i]);
        if (length > end && name[0] != '.' && strcmp(name + length - end, suffixes[i]) == 0)
            return name + length - end;
    }
    return NULL;
}

static void add_name(struct merge_names *names, const char *name)
{
    size_t at = 0;
    while (at < names->count && strcmp(names->name[at], name) < 0)
        at++;
    if (at < names->count && strcmp(names->name[at], name) == 0)
        return;
    names->name = memory_grow(names->name, names->count + 1, sizeof *names->name);
    memmove(names->name + at + 1, names->name + at, (names->count - at) * sizeof *names->name);
    names->name[at] = memory_copy(name);
    names->count++;
}

static void add_studies(struct merge_names *names, const char *folder)
{
    DIR *directory = opendir(folder);
    if (!directory)
        return;
    for (const struct dirent *entry; (entry = readdir(directory));) {
        const char *suffix = suffix_of(entry->d_name, OF_STUDY);
        if (!suffix)
            continue;
        char *study = strndup(entry->d_name, (size_t)(suffix - entry->d_name));
        add_name(names, study ? study : "");
        free(study);
    }
    closedir(directory);
}

void merge_files_studies(struct merge_names *names, const char *folder)
{
    char *journals = store_journals(folder);
    add_studies(names, folder);
    add_studies(names, journals);
    free(journals);
}

void merge_files_free(struct merge_names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->name[i]);
    free(names->name);
    *names = (struct merge_names){.count = 0};
}

/* The index of a cell, looked for from `from` on; cells->count: the list lacks it. Lists have the same order in most
 * cases, so that the next cell is found at once. */
static size_t find_cell(const struct merge_cells *cells, const char *id, size_t from)
{
    for (size_t i = 0; i < cells->count; i++) {
        const size_t at = (from + i) % cells->count;
        if (strcmp(cells->id[at], id) == 0)
            return at;
    }
    return cells->count;
}

void merge_files_cells(struct merge_cells *cells, const char *folder, const char *study)
{
    struct listed listed = {.count = 0};
    size_t next = 0; /* behind the neighbour */
    listed_find(&listed, folder, study);
    for (size_t r = 0; r < listed.count; r++) {
        const char *id = listed.row[r].id;
        const size_t at = find_cell(cells, id, next);
        if (!*id)
            continue;
        if (at < cells->count) {
            next = at + 1;
            continue;
        }
        cells->id = memory_grow(cells->id, cells->count + 1, sizeof *cells->id);
        memmove(cells->id + next + 1, cells->id + next, (cells->count - next) * sizeof *cells->id);
        strcpy(cells->id[next++], id);
        cells->count++;
    }
    listed_free(&listed);
}

/* Copies one file. Returns 0 or an errno. */
static int copy_file(const char *folder, const char *into, const char *name)
{
    char *from = memory_print("%s/%s", folder, name), *to = memory_print("%s/%s", into, name);
    size_t length = 0, there_length = 0;
    bool changed;
    int failed = 0;
    char *there = file_read(to, &there_length), *bytes = file_read(from, &length);
    if (!bytes)
        failed = errno;
    else if (!there)
        failed = rewrite_bytes(into, name, bytes, length, &changed) != 0 ? errno : 0;
    else if (length != there_length || memcmp(there, bytes, length) != 0)
        fprintf(stderr, "tilelab: %s is left out, because %s differs\n", from, to);
    free(bytes);
    free(there);
    free(from);
    free(to);
    return failed;
}

int merge_files_others(const char *folder, const char *into)
{
    struct dirent **entry = NULL;
    const int count = scandir(folder, &entry, NULL, alphasort);
    int failed = 0;
    for (int i = 0; i < count; i++) {
        char *path = memory_print("%s/%s", folder, entry[i]->d_name);
        struct stat file;
        if (!failed && entry[i]->d_name[0] != '.' && !suffix_of(entry[i]->d_name, SUFFIXES) &&
            lstat(path, &file) == 0 && S_ISREG(file.st_mode))
            failed = copy_file(folder, into, entry[i]->d_name);
        free(path);
        free(entry[i]);
    }
    free(entry);
    return failed;
}
