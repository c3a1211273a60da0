/* What the verbs that show results need of a study's run record.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COMMAND_STUDY_RECORD_H
#define TILELAB_COMMAND_STUDY_RECORD_H

#include <stdint.h>

struct study_record {
    char profile[16];    /* of the last run that measured something; empty: not recorded */
    int64_t measured_at; /* seconds since 1970; 0: not recorded */
};

/* Reads FOLDER/EXPERIMENT.run.json. Without a readable record nothing is recorded. */
struct study_record study_record_read(const char *folder, const char *experiment);

#endif
