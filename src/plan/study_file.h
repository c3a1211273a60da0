/* The experiment files that a command line names.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_PLAN_STUDY_FILE_H
#define TILELAB_PLAN_STUDY_FILE_H

#include "base/yaml.h"

#include <stdbool.h>
#include <stddef.h>

/* The path of an experiment file: "ladder" means experiments/ladder.yaml, or else ladder.yaml, where there is no file
 * ladder. Any other text stays as it is. The text is valid until the program ends. */
const char *study_file_path(const char *text);

/* The name of the study that a text means: "ladder", "ladder.yaml" or "experiments/ladder.yaml". The caller frees the
 * name. */
char *study_file_name(const char *text);

/* Opens an experiment file for study_read; nothing else reads it. The user's own kernels that it names join the
 * registry, unless somebody has asked that before. NULL, after a line on stderr with the nearest name, of the same
 * folder or of experiments/: there is no such file. */
struct yaml *study_file_open(const char *path);

/* The name of the study with results in a folder that is nearest to the name. The caller frees it; NULL: none. */
char *study_file_near_results(const char *folder, const char *name);

/* The names of studies, from several folders. */
struct study_file_names {
    char **name; /* [count]; owned */
    size_t count;
};
/* Adds the names of the experiment files in experiments/ and in the current folder. */
void study_file_names_add_files(struct study_file_names *names);
/* Adds the names of the studies with results in a folder. */
void study_file_names_add_results(struct study_file_names *names, const char *folder);
bool study_file_names_have(const struct study_file_names *names, const char *name);
void study_file_names_free(struct study_file_names *names);

#endif
