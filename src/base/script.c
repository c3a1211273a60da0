/* Subcommands that a script of the installation does.
 * SPDX-License-Identifier: MIT */
#include "script.h"

#include "exit.h"
#include "folder.h"
#include "memory.h"
#include "process.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int script_become(const char *name, int argc, char **argv, const char *else_what)
{
    char program[PATH_MAX];
    const ssize_t got = readlink(PROCESS_SELF, program, sizeof program - 1);
    program[got > 0 ? got : 0] = '\0';
    char *const script = folder_installed(name);
    if (!script) {
        fprintf(stderr, "%s: its files are not beside the program; `make install` copies them\n", argv[0]);
        if (else_what)
            fprintf(stderr, "%s: %s\n", argv[0], else_what);
        return EXIT_USAGE;
    }
    const char **arguments = memory_allocate((size_t)argc + 2, sizeof *arguments);
    arguments[0] = "bash";
    arguments[1] = script;
    for (int i = 1; i < argc; i++)
        arguments[i + 1] = argv[i];
    setenv("TILELAB", program, 1);
    /* The script's pipes end as those of any shell do. */
    signal(SIGPIPE, SIG_DFL);
    execvp(arguments[0], (char *const *)arguments);
    fprintf(stderr, "%s: bash cannot be started: %s\n", argv[0], strerror(errno));
    free(arguments);
    free(script);
    return EXIT_USAGE;
}
