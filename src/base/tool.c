/* Programs of others that this program starts: where they are, and their version.
 * SPDX-License-Identifier: MIT */
#include "tool.h"

#include "memory.h"
#include "process.h"

#include <ctype.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static bool executable(char *path, size_t size, const char *folder, int length, const char *name)
{
    return snprintf(path, size, "%.*s/%s", length, folder, name) < (int)size && access(path, X_OK) == 0;
}

/* Finds the program in the newest of the folders that match a pattern and have the program. */
static bool newest(const char *pattern, const char *name, char *path, size_t size)
{
    glob_t found = {0};
    const char *best = NULL;
    if (glob(pattern, 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++) {
            const char *folder = found.gl_pathv[i];
            if (executable(path, size, folder, (int)strlen(folder), name) && (!best || strverscmp(folder, best) > 0))
                best = folder;
        }
    const bool there = best && executable(path, size, best, (int)strlen(best), name);
    globfree(&found);
    return there;
}

bool tool_find(const char *name, bool cuda, char *path, size_t size)
{
    const char *home = getenv("CUDA_HOME"), *folder = getenv("PATH");
    while (folder != NULL && *folder != '\0') {
        const size_t length = strcspn(folder, ":");
        if (length > 0 && executable(path, size, folder, (int)length, name))
            return true;
        folder += length + (folder[length] == ':');
    }
    if (!cuda)
        return false;
    char inside[512];
    snprintf(inside, sizeof inside, "%s/bin", home != NULL ? home : "/usr/local/cuda");
    return executable(path, size, inside, (int)strlen(inside), name) ||
           newest("/opt/nvidia/nsight-compute/*", name, path, size) ||
           newest("/usr/local/cuda-*/bin", name, path, size);
}

/* In a child. */
static int become(const void *context)
{
    const char *const *arguments = context;
    return process_become(arguments[0], arguments);
}

void tool_version(const char *path, char *version, size_t size)
{
    enum { LIMIT_S = 60 };
    const char *const arguments[] = {path, "--version", NULL};
    struct process child;
    char text[8192];
    version[0] = '\0';
    if (process_start(&child, PROCESS_OUTPUT | PROCESS_QUIET, become, arguments) != 0)
        return;
    process_collect(&child, text, sizeof text, LIMIT_S);
    for (const char *at = text; version[0] == '\0' && *(at += strcspn(at, "0123456789")) != '\0';) {
        const size_t whole = strspn(at, "0123456789");
        if (at[whole] == '.' && isdigit((unsigned char)at[whole + 1]))
            snprintf(version, size, "%.*s", (int)strspn(at, "0123456789."), at);
        at += whole;
    }
}

char *tool_run(const char *const arguments[])
{
    enum { LIMIT_S = 120 };
    const size_t room = (size_t)64 << 20;
    struct process child;
    if (process_start(&child, PROCESS_OUTPUT | PROCESS_QUIET, become, arguments) != 0)
        return NULL;
    char *text = memory_allocate(room, 1);
    if (process_collect(&child, text, room, LIMIT_S) && WIFEXITED(child.status) && WEXITSTATUS(child.status) == 0)
        return text;
    free(text);
    return NULL;
}
