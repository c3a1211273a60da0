/* How far the parts of a measurement on several machines are.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_PARTS_STATES_H
#define TILELAB_PARTS_STATES_H

#include "merge_files.h"
#include "plan/part_file.h"

#include <stdbool.h>
#include <stddef.h>

/* One part of one study. */
struct part_state {
    struct part_file list;
    const char *study, *folder; /* folder: empty where no folder holds the part */
    size_t cells, done, failed;
    bool is_running;
};

struct states {
    char **folder; /* those that hold parts; owned, like all of this */
    size_t folders;
    struct merge_names studies;
    struct part_state *state; /* the parts that no folder holds follow the last part of the same run */
    size_t count;
};

/* Adds the folder of a part, or the folders of parts in it. The states start with {0}. */
void states_add_folder(struct states *states, const char *folder);
/* Finds the parts in these folders. A list of a part that cannot be understood is left out after a message. */
void states_find(struct states *states);
void states_free(struct states *states);

/* "running", "finished", "not begun" or "ended early". */
const char *states_word(const struct part_state *state);

#endif
