/* `tilelab merge`: joins the folders of parts, of machines or of a class.
 * SPDX-License-Identifier: MIT */
#include "commands.h"
#include "merge_files.h"
#include "merge_host.h"
#include "options.h"
#include "base/escape.h"
#include "base/folder.h"
#include "base/memory.h"

#include <argp.h>
#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { OPTION_INTO = 256, OPTION_BY_MACHINE, OPTION_BY_FOLDER };

struct arguments {
    const char *into;
    bool by_machine, by_folder;
    const char **folder; /* owned, as the paths are */
    size_t folders;
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case OPTION_INTO:
        arguments->into = text;
        return 0;
    case OPTION_BY_MACHINE:
        arguments->by_machine = true;
        return 0;
    case OPTION_BY_FOLDER:
        arguments->by_folder = true;
        return 0;
    case ARGP_KEY_ARG:
        arguments->folder[arguments->folders++] = text;
        return 0;
    case ARGP_KEY_END:
        if (arguments->folders == 0)
            argp_error(state, "name the folders to join, for example data/local/parts/*-of-8");
        if (!arguments->into)
            argp_error(state, "name the folder that gets the results with --into");
        if (arguments->by_machine && arguments->by_folder)
            argp_error(state, "--by-machine and --by-folder exclude each other");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

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
static bool find_folders(struct arguments *arguments)
{
    char *into = realpath(arguments->into, NULL);
    struct named *named = memory_allocate(arguments->folders, sizeof *named);
    size_t with_results = 0;
    bool fine = true;
    for (size_t i = 0; i < arguments->folders; i++) {
        const char *given = arguments->folder[i];
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
    const size_t count = arguments->folders;
    if (fine)
        qsort(named, count, sizeof *named, compare_paths);
    arguments->folders = 0;
    for (size_t i = 0; i < count && fine; i++)
        if (named[i].has_results && (i == 0 || strcmp(named[i - 1].path, named[i].path) != 0))
            arguments->folder[arguments->folders++] = named[i].given;
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
static bool find_hosts(const struct arguments *arguments, struct merge_host **host, size_t *hosts)
{
    for (size_t i = 0; i < arguments->folders; i++) {
        const char *folder = arguments->folder[i];
        char machine[MERGE_MACHINE_SIZE] = "";
        if (arguments->by_folder) {
            char *name = host_name(folder);
            const size_t before = *hosts;
            add_folder(host, hosts, memory_print("%s/%s", arguments->into, name), folder);
            if (*hosts == before)
                fprintf(stderr, "tilelab: %s would be the host %s, as another folder; rename one of them\n", folder,
                        name);
            free(name);
            if (*hosts == before)
                return false;
        } else if (arguments->by_machine) {
            if (!merge_host_machine(folder, machine))
                return false;
            if (!*machine)
                fprintf(stderr, "tilelab: %s holds no results, and is left out\n", folder);
            else
                add_folder(host, hosts,
                           memory_print("%s/machine-%.6s%s", arguments->into, machine,
                                        strchr(machine, ',') ? "-pretended" : ""),
                           folder);
        } else {
            add_folder(host, hosts, memory_copy(arguments->into), folder);
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

/* A signal waits until the study at hand is whole. Many parts need many open files. */
static void prepare(void)
{
    struct rlimit files;
    sigset_t late;
    sigemptyset(&late);
    sigaddset(&late, SIGINT);
    sigaddset(&late, SIGTERM);
    sigprocmask(SIG_BLOCK, &late, NULL);
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
}

int merge_main(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"into", OPTION_INTO, "FOLDER", 0, "the folder that gets the results", 0},
        {"by-machine", OPTION_BY_MACHINE, 0, 0,
         "make a host of each kind of machine, FOLDER/machine-HASH, instead of refusing several", 0},
        {"by-folder", OPTION_BY_FOLDER, 0, 0, "make a host of each folder, FOLDER/NAME, as for the folders of a class",
         0},
        {0}};
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "DIR...",
        .doc = "Joins the results of parts that `tilelab run --part` measured. The order of the folders changes "
               "nothing, and the verb may be called again with more or fewer of them.\vThe folders stay as they are. "
               "They must be of one kind of machine, and have measured each variant with one source. The exit code is "
               "1 where parts or cells are missing, and 4 where folders cannot be joined."};
    struct arguments arguments = {.folder = memory_allocate((size_t)argc, sizeof *arguments.folder)};
    struct merge_host *host = NULL;
    size_t hosts = 0;
    options_parse(&argp, argc, argv, 0, NULL, &arguments);
    prepare();
    enum exit_code code = find_folders(&arguments) ? EXIT_OK : EXIT_USAGE;
    if (code == EXIT_OK)
        code = find_hosts(&arguments, &host, &hosts) ? join(host, hosts) : EXIT_STORE;
    for (size_t i = 0; i < hosts; i++) {
        free(host[i].into);
        free(host[i].folder);
    }
    free(host);
    free(arguments.folder);
    return code;
}
