/* Joining the folders of one host.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_PARTS_MERGE_HOST_H
#define TILELAB_PARTS_MERGE_HOST_H

#include "merge_check.h"
#include "base/exit.h"

#include <stdbool.h>
#include <stddef.h>

struct merge_host {
    char *into;          /* the folder that gets the results; owned by the caller, like all paths */
    const char **folder; /* those that are joined */
    size_t folders;
};

/* Finds out whether the folders may be joined: whether they, and what `into` holds, are of one machine, one source of
 * each variant and one list of cells. If not, a message says why. Nothing is written. */
bool merge_host_check(const struct merge_host *host);

/* Joins the folders. EXIT_CELLS: parts or cells are missing, and a message names them. EXIT_STORE: a message says why;
 * what was joined before is whole. EXIT_INTERRUPTED: likewise, after a signal. */
enum exit_code merge_host_join(const struct merge_host *host);

/* The machine that measured what a folder holds, see merge_check_machine. Empty: no row tells it. False, after a
 * message, if there are several, or if the folder cannot be read. */
bool merge_host_machine(const char *folder, char machine[MERGE_MACHINE_SIZE]);

#endif
