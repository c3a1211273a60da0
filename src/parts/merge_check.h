/* Whether results of several folders may be joined.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_PARTS_MERGE_CHECK_H
#define TILELAB_PARTS_MERGE_CHECK_H

#include "results/store.h"

#include <stdbool.h>

/* What was seen of the folders so far: their machines, the sources and libraries of their variants, and the marks of
 * their physical machines. Starts with {0}. */
struct merge_check {
    struct merge_seen *seen; /* owned */
    size_t count, room;
    char (*mark)[9]; /* sorted */
    size_t marks;
    bool failed; /* two folders differ, or one cannot be read; a message said so */
};

/* Takes what a folder holds of a study. */
void merge_check_take(struct merge_check *check, struct store *store, const char *study);
void merge_check_free(struct merge_check *check);

/* The number of a physical machine among all that were seen, by its mark; 0: it was not seen, or the mark is empty. The
 * context is a struct merge_check. */
int merge_check_number(const void *context, const char *mark);

/* The machine of the shown results of a store: "hash" or "hash, simulated". Adds nothing for a row that tells no
 * machine. False, without a message, if it differs from what `machine` already holds. */
enum { MERGE_MACHINE_SIZE = 32 };
bool merge_check_machine(struct store *store, char machine[MERGE_MACHINE_SIZE]);

#endif
