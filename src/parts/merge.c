/* Joining the folders of parts, of machines or of a class.
 * SPDX-License-Identifier: MIT */
#include "merge.h"

#include "merge_files.h"
#include "merge_host.h"
#include "base/escape.h"
#include "base/folder.h"
#include "base/memory.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A folder as the user wrote it, and its path without links. */
struct named {
    const char *given;
    char *path;
    bool has_results;
};

static int compare_paths(const void *a, const void *b)
{
    return strcmp(((const struct named *)a)->path, ((const struct named *)b)->path);
}

/* Whether a folder holds results, or the list of a part. False after a warning. */
static bool has_results(const char *folder)
{
    struct merge_names studies = {.count = 0};
    merge_files_studies(&studies, folder);
    const bool has = studies.count > 0;
    merge_files_free(&studies);
    char *data = memory_print("%s/data/local", folder);
    if (!has)
        escape_tell("warning: %s holds no results%s", folder,
                    folder_exists(data) ? "; are they in its folder data/local?" : "");
    free(data);
    return has;
}

/* Sorts the folders that hold results by their paths and keeps each once, so that their order changes nothing. False
 * after a message. */
static bool find_folders(struct merge *merge)
{
    char *into = realpath(merge->into, NULL);
    struct named *named = memory_allocate(merge->folders, sizeof *named);
    size_t with_results = 0;
    bool fine = true;
    for (size_t i = 0; i < merge->folders; i++) {
        const char *given = merge->folder[i];
        char *path = folder_exists(given) ? realpath(given, NULL) : NULL;
        const bool is_target = path && into && strcmp(into, path) == 0;
        if (!path)
            fprintf(stderr, "tilelab: %s: %s\n", given, strerror(errno));
        else if (is_target)
            fprintf(stderr, "tilelab: %s is joined with others and cannot get the results too\n", path);
        fine = fine && path && !is_target;
        named[i] = (struct named){given, path, path && has_results(given)};
        with_results += named[i].has_results;
    }
    if (fine && with_results == 0)
        fputs("tilelab: there is nothing to join\n", stderr);
    fine = fine && with_results > 0;
    const size_t count = merge->folders;
    if (fine)
        qsort(named, count, sizeof *named, compare_paths);
    merge->folders = 0;
    for (size_t i = 0; i < count && fine; i++)
        if (named[i].has_results && (i == 0 || strcmp(named[i - 1].path, named[i].path) != 0))
            merge->folder[merge->folders++] = named[i].given;
    for (size_t i = 0; i < count; i++)
        free(named[i].path);
    free(named);
    free(into);
    return fine;
}

/* The name of the host that a folder becomes: the last part of its path that says more than "data" or "local", in the
 * letters that the name of a host may have. */
static char *host_name(const char *folder)
{
    char *path = folder_absolute(folder);
    char *name = NULL;
    for (char *slash; path && !name && (slash = strrchr(path, '/')); *slash = '\0')
        if (slash[1] && strcmp(slash + 1, "data") != 0 && strcmp(slash + 1, "local") != 0)
            name = memory_copy(slash + 1);
    free(path);
    for (char *at = name; at && *at; at++)
        *at = (char)(isalnum((unsigned char)*at) ? tolower((unsigned char)*at) : '-');
    if (!name || !*name || *name == '-' || strcmp(name, "published") == 0) {
        free(name);
        name = memory_copy("host");
    }
    return name;
}

/* Adds a folder to the host that gets the results in `into`, which is taken over. */
static void add_folder(struct merge_host **host, size_t *hosts, char *into, const char *folder)
{
    size_t at = 0;
    while (at < *hosts && strcmp((*host)[at].into, into) != 0)
        at++;
    if (at == *hosts) {
        *host = memory_grow(*host, ++*hosts, sizeof **host);
        (*host)[at] = (struct merge_host){.into = memory_copy(into)};
    }
    struct merge_host *to = &(*host)[at];
    to->folder = memory_grow(to->folder, to->folders + 1, sizeof *to->folder);
    to->folder[to->folders++] = folder;
    free(into);
}

/* Finds the hosts that the folders become. False after a message. */
static bool find_hosts(const struct merge *merge, struct merge_host **host, size_t *hosts)
{
    for (size_t i = 0; i < merge->folders; i++) {
        const char *folder = merge->folder[i];
        char machine[MERGE_MACHINE_SIZE] = "";
        if (merge->by_folder) {
            char *name = host_name(folder);
            const size_t before = *hosts;
            add_folder(host, hosts, memory_print("%s/%s", merge->into, name), folder);
            if (*hosts == before)
                fprintf(stderr, "tilelab: %s would be the host %s, as another folder; rename one of them\n", folder,
                        name);
            free(name);
            if (*hosts == before)
                return false;
        } else if (merge->by_machine) {
            if (!merge_host_machine(folder, machine))
                return false;
            if (!*machine)
                fprintf(stderr, "tilelab: %s holds no results, and is left out\n", folder);
            else
                add_folder(
                    host, hosts,
                    memory_print("%s/machine-%.6s%s", merge->into, machine, strchr(machine, ',') ? "-simulated" : ""),
                    folder);
        } else {
            add_folder(host, hosts, memory_copy(merge->into), folder);
        }
    }
    return true;
}

/* Joins the folders of all hosts. */
static enum exit_code join(const struct merge_host *host, size_t hosts)
{
    enum exit_code code = EXIT_OK;
    for (size_t i = 0; i < hosts; i++)
        if (!merge_host_check(&host[i])) {
            fputs("Nothing was changed.\n", stderr);
            return EXIT_STORE;
        }
    for (size_t i = 0; i < hosts && code != EXIT_STORE && code != EXIT_INTERRUPTED; i++) {
        const enum exit_code one = merge_host_join(&host[i]);
        code = one > code ? one : code;
    }
    if (code == EXIT_INTERRUPTED)
        fputs("interrupted; the studies named above are joined, and the folders are as before. The same command goes "
              "on.\n",
              stderr);
    return code;
}

enum exit_code merge_folders(struct merge *merge)
{
    struct merge_host *host = NULL;
    size_t hosts = 0;
    enum exit_code code = find_folders(merge) ? EXIT_OK : EXIT_USAGE;
    if (code == EXIT_OK)
        code = find_hosts(merge, &host, &hosts) ? join(host, hosts) : EXIT_STORE;
    for (size_t i = 0; i < hosts; i++) {
        free(host[i].into);
        free(host[i].folder);
    }
    free(host);
    return code;
}
