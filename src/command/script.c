/* Verbs whose work a script does, which lies with the files that are installed.
 * SPDX-License-Identifier: MIT */
#include "script.h"

#include "base/exit.h"
#include "base/folder.h"
#include "base/memory.h"
#include "base/process.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int script_become(const char *verb, const char *script, int count, char **arguments)
{
    char program[PATH_MAX];
    const ssize_t got = readlink(PROCESS_SELF, program, sizeof program - 1);
    program[got > 0 ? got : 0] = '\0';
    char *const path = folder_installed(script);
    if (!path) {
        fprintf(stderr, "tilelab %s: the file %s is not beside the program; `make install` copies it\n", verb, script);
        return EXIT_USAGE;
    }
    char **argument = memory_allocate((size_t)count + 3, sizeof *argument);
    argument[0] = "bash";
    argument[1] = path;
    for (int i = 0; i < count; i++)
        argument[i + 2] = arguments[i];
    setenv("TILELAB", program, 1);
    /* The script's pipes end as those of any shell do. */
    signal(SIGPIPE, SIG_DFL);
    execvp(argument[0], argument);
    fprintf(stderr, "tilelab %s: bash cannot be started: %s\n", verb, strerror(errno));
    free(argument);
    free(path);
    return EXIT_USAGE;
}
