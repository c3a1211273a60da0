/* Joining the folders of parts, of machines or of a class.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_PARTS_MERGE_H
#define TILELAB_PARTS_MERGE_H

#include "base/exit.h"

#include <stdbool.h>
#include <stddef.h>

struct merge {
    const char *into;           /* the folder that gets the results */
    bool by_machine, by_folder; /* make a host of each kind of machine, or of each folder; not both */
    const char **folder;        /* those that are joined; sorted by the call, and without those that hold nothing */
    size_t folders;
};

/* Joins the folders, which stay as they are. Returns the exit code of the program, after messages. */
enum exit_code merge_folders(struct merge *merge);

#endif
