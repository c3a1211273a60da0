/* What a data folder holds of each study, by the names and sizes of its files.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_RESULTS_INVENTORY_H
#define TILELAB_RESULTS_INVENTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { INVENTORY_STUDY_SIZE = 64 };
struct inventory {
    char study[INVENTORY_STUDY_SIZE];
    int64_t csv_bytes, journal_bytes;
    size_t temporary; /* files that an interrupted run has left */
    int64_t temporary_bytes;
    bool has_results; /* the folder has results of the study; a study that was only counted has none */
    bool has_file;    /* as experiments/<study>.yaml or <study>.yaml; true where there is no experiments/ */
};

/* What to do where a data folder, or a file of it, is missing. */
#define INVENTORY_REMEDY "; `tilelab run` measures, --data DIR names another folder"

/* Finds the studies of a folder, sorted by name. Returns their number and a list that the caller frees, or -1 after a
 * line on stderr. */
int inventory_find(const char *folder, struct inventory **list);

/* Calls `visit` for every temporary file of a study; the paths are those of the folder. */
void inventory_visit_temporary(const char *folder, const char *study, void (*visit)(void *context, const char *path),
                               void *context);

/* Writes a number of bytes as "12.3 kB". */
enum { INVENTORY_BYTES_SIZE = 24 };
void inventory_print_bytes(int64_t bytes, char text[INVENTORY_BYTES_SIZE]);

#endif
