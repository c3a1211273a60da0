/* Subcommands that a script of the installation does.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BASE_SCRIPT_H
#define TILELAB_BASE_SCRIPT_H

/* Becomes the script, "report/anywhere.sh", with the arguments of the subcommand behind its name. TILELAB is the path
 * of this program there. Returns the exit code where the script is not beside the program; `else_what` says what
 * helps. */
int script_become(const char *name, int argc, char **argv, const char *else_what);

#endif
