/* Results as they were at a revision of git.
 * SPDX-License-Identifier: MIT */
#include "revision.h"

#include "base/folder.h"
#include "base/memory.h"
#include "base/process.h"
#include "base/tool.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

static const double LIMIT_S = 60;

bool revision_named(const char *text)
{
    const char *at = strrchr(text, '@');
    return at && at > text && at[1] && !folder_exists(text);
}

/* A program and its arguments. */
struct call {
    char program[4096];
    const char *argument[8];
};

static int become(const void *context)
{
    const struct call *call = context;
    return process_become(call->program, call->argument);
}

/* Runs a program of PATH; false unless it ends well. */
static bool run(struct call *call)
{
    struct process process;
    char nothing[256];
    if (!tool_find(call->argument[0], false, call->program, sizeof call->program) ||
        process_start(&process, PROCESS_OUTPUT | PROCESS_QUIET, become, call) != 0)
        return false;
    return process_collect(&process, nothing, sizeof nothing, LIMIT_S) && WIFEXITED(process.status) &&
           WEXITSTATUS(process.status) == 0;
}

/* The name of the temporary folder below `root`: that of the folder, with the revision. */
static char *name_below(const char *root, const char *folder, const char *revision)
{
    char *path = folder_absolute(folder);
    char *name = memory_print("%s@%s", path ? folder_last_parts(path, 1) : "results", revision);
    for (char *slash = name; (slash = strchr(slash, '/'));)
        *slash = '-';
    char *below = memory_print("%s/%s", root, name);
    free(name);
    free(path);
    return below;
}

char *revision_folder(const char *text, char *why, size_t size)
{
    const char *revision = strrchr(text, '@') + 1;
    char root[PATH_MAX], *folder = memory_print("%.*s", (int)(revision - 1 - text), text), *below = NULL;
    char *archive = NULL;
    bool done = false;
    if (!folder_temporary("tilelab-revision", root, sizeof root)) {
        snprintf(why, size, "%s cannot be made: %s", root, strerror(errno));
    } else {
        below = name_below(root, folder, revision);
        archive = memory_print("--output=%s/archive.tar", root);
        /* A revision that begins with a dash is no option. */
        struct call pack = {.argument = {"git", "-C", folder, "archive", archive, revision, NULL}};
        struct call unpack = {.argument = {"tar", "-xf", archive + strlen("--output="), "-C", below, NULL}};
        done = *revision != '-' && mkdir(below, 0700) == 0 && run(&pack) && run(&unpack);
        if (!done) {
            snprintf(why, size, "git has no files of %s at the revision %s, or git or tar is missing", folder,
                     revision);
            revision_remove(below);
            below = NULL;
        }
    }
    free(archive);
    free(folder);
    return below;
}

void revision_remove(char *folder)
{
    if (!folder)
        return;
    *strrchr(folder, '/') = '\0';
    folder_remove(folder);
    free(folder);
}
