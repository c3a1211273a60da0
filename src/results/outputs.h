/* The CSV files of a study whose hashes its run record names.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_RESULTS_OUTPUTS_H
#define TILELAB_RESULTS_OUTPUTS_H

#include <jansson.h>

enum { OUTPUTS = 3 };
/* What their names end in, as results.csv. */
extern const char *const outputs_endings[OUTPUTS];

/* The hash of each of these files that a folder has, by its ending. */
json_t *outputs_json(const char *folder, const char *study);

/* BIT(i) for each file whose hash is not that of the record: somebody changed the file after the run, or a later run
 * has not ended. A file that is missing, or that the record does not name, counts as unchanged. */
unsigned outputs_changed(const json_t *record, const char *folder, const char *study);

/* Warns of these files, with the run record of the folder. */
void outputs_warn_changed(const char *folder, const char *study);

#endif
