/* `tilelab report`: measures experiments and makes a PDF of them, in any folder. A script does the work; it lies with
 * the figures, the queries and the texts of the report.
 * SPDX-License-Identifier: MIT */
#include "commands.h"

#include "base/folder.h"
#include "base/memory.h"
#include "base/process.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int report_main(int argc, char **argv)
{
    char program[PATH_MAX];
    const ssize_t got = readlink(PROCESS_SELF, program, sizeof program - 1);
    program[got > 0 ? got : 0] = '\0';
    char *const script = folder_installed("report/anywhere.sh");
    if (!script) {
        fprintf(stderr,
                "tilelab report: the files of the report are not beside the program; `make install` copies them\n"
                "tilelab report: without them, `tilelab show` prints the results as a table\n");
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
    fprintf(stderr, "tilelab report: bash cannot be started: %s\n", strerror(errno));
    free(arguments);
    free(script);
    return EXIT_USAGE;
}
