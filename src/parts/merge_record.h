/* The run record of a study that several runs have measured.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_PARTS_MERGE_RECORD_H
#define TILELAB_PARTS_MERGE_RECORD_H

#include "results/store.h"

/* What the record tells of the joined rows. */
struct merge_counts {
    size_t status[STATUSES];
    unsigned changed_outputs; /* files that gave rows although they were changed after their run */
};

/* Writes the record of a study into the folder `into`. It is the latest of the records of all these folders, with the
 * variants and builds of all of them. Its `runs` lists each of them: when it measured, on which machine, and where its
 * time went; its overhead is their sum. `number` tells the number of a machine by its mark. The order of the folders
 * changes nothing. Returns 0 or an errno. */
int merge_record_write(const char *into, const char *study, const char *const folder[], size_t folders,
                       const struct merge_counts *counts, int (*number)(const void *, const char *mark),
                       const void *context);

#endif
