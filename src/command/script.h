/* Verbs whose work a script does, which lies with the files that are installed.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COMMAND_SCRIPT_H
#define TILELAB_COMMAND_SCRIPT_H

/* Becomes bash, which runs the script with these arguments; TILELAB then names this program in the environment. Returns
 * only on failure, with the exit code, after a message of the verb. */
int script_become(const char *verb, const char *script, int count, char **arguments);

#endif
