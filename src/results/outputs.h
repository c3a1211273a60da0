/* The CSV files of a study whose hashes its run record names.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_RESULTS_OUTPUTS_H
#define TILELAB_RESULTS_OUTPUTS_H

#include <jansson.h>
#include <stdbool.h>

enum { OUTPUTS = 3 };
/* What their names end in, as results.csv. */
extern const char *const outputs_endings[OUTPUTS];

/* The hash of each of these files that a folder has, by its ending. */
json_t *outputs_json(const char *folder, const char *study);

/* BIT(i) for each file whose hash is not that of the record: somebody changed the file after the run, or a later run
 * has not ended. Files in which the record keeps such a change count too. A file that is missing, or that the record
 * does not name, counts as unchanged. */
unsigned outputs_changed(const json_t *record, const char *folder, const char *study);
/* The same with the run record of the folder. */
unsigned outputs_changed_in(const char *folder, const char *study);

/* A record keeps that files hold rows of changed files, though it names the hashes that these files have now. */
unsigned outputs_kept_changes(const json_t *record);
void outputs_keep_changes(json_t *record, unsigned changed);
/* Lets the run record of a folder keep such changes, beside those that it keeps, and name the hashes that the files
 * have now. A record without such changes is left alone, unless the caller has written files. Returns 0 or an errno. */
int outputs_keep_changes_in(const char *folder, const char *study, unsigned changed, bool written);

/* Warns of these files, with the run record of the folder. Returns whether one has a hash that the record does
 * not name. */
bool outputs_warn_changed(const char *folder, const char *study);

#endif
