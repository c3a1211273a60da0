/* The files of data folders that are joined: their studies, their cells in order, and what belongs to no study's rows.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_PARTS_MERGE_FILES_H
#define TILELAB_PARTS_MERGE_FILES_H

#include "results/store.h"

/* Names, sorted, each once. */
struct merge_names {
    char **name;
    size_t count;
};
/* Adds the studies that a folder has results of, or a list of a part. */
void merge_files_studies(struct merge_names *names, const char *folder);
void merge_files_free(struct merge_names *names);

/* Cells in the order of a results.csv. */
struct merge_cells {
    char (*id)[CELL_ID_SIZE];
    size_t count;
};
/* Puts the cells of a folder's results.csv that the list lacks into it, each behind its neighbour in that file. */
void merge_files_cells(struct merge_cells *cells, const char *folder, const char *study);

/* Copies files that belong to no rows, as counters.csv of a study, unless `into` has a file of that name. If it has
 * another one, a message says that the file is left out. Returns 0 or an errno. */
int merge_files_others(const char *folder, const char *into);

#endif
