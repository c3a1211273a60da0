/* Results as they were at a revision of git: a copy of their folder.
 * SPDX-License-Identifier: MIT */
#include "compare.h"

#include "base/folder.h"
#include "base/memory.h"
#include "base/tool.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool compare_copy_asked(const char *text)
{
    const char *at = strrchr(text, '@');
    return at && at > text && at[1] && !folder_exists(text);
}

/* Runs a program of PATH, argument[0]; false unless it ends well. */
static bool run_program(const char *argument[])
{
    char program[PATH_MAX];
    if (!tool_find(argument[0], false, program, sizeof program))
        return false;
    argument[0] = program;
    char *printed = tool_run(argument);
    free(printed);
    return printed != NULL;
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

void compare_copy_remove(char *folder)
{
    if (!folder)
        return;
    *strrchr(folder, '/') = '\0';
    folder_remove(folder);
    free(folder);
}

char *compare_copy(const char *text, char *why, size_t size)
{
    const char *revision = strrchr(text, '@') + 1;
    char root[PATH_MAX], *folder = memory_print("%.*s", (int)(revision - 1 - text), text), *below = NULL;
    char *archive = NULL;
    bool done = false;
    if (!folder_temporary("tilelab-revision", root, sizeof root)) {
        snprintf(why, size, "%.400s cannot be made: %s", root, strerror(errno));
    } else {
        below = name_below(root, folder, revision);
        archive = memory_print("--output=%s/archive.tar", root);
        /* A revision that begins with a dash is no option. */
        const char *pack[] = {"git", "-C", folder, "archive", archive, revision, NULL};
        const char *unpack[] = {"tar", "-xf", archive + strlen("--output="), "-C", below, NULL};
        done = *revision != '-' && mkdir(below, 0700) == 0 && run_program(pack) && run_program(unpack);
        if (!done) {
            snprintf(why, size, "git has no files of %s at the revision %s, or git or tar is missing", folder,
                     revision);
            compare_copy_remove(below);
            below = NULL;
        }
    }
    free(archive);
    free(folder);
    return below;
}
