/* What the exit code of the program says.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BASE_EXIT_H
#define TILELAB_BASE_EXIT_H

/* 0: all cells ok or skipped. 1: some cells failed or were wrong, or a transient error of the machine kept them from
 * being measured. 2: a fault in the command line or an experiment file. 4: the results cannot be written. 5: the
 * subcommand did its work, but its standard output cannot be written. 130: interrupted. */
enum exit_code {
    EXIT_OK = 0,
    EXIT_CELLS = 1,
    EXIT_USAGE = 2,
    EXIT_CHANGED = 3,
    EXIT_STORE = 4,
    EXIT_OUTPUT = 5,
    EXIT_INTERRUPTED = 130
};

#endif
