/* `tilelab list --results`: what a data folder holds.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COMMAND_LIST_RESULTS_H
#define TILELAB_COMMAND_LIST_RESULTS_H

/* Prints a table of the studies of a folder, and a table of what could be dropped. Returns the exit code. */
int list_results(const char *folder);

#endif
