/* How tests read an experiment file that they hold as a text.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_TESTS_STUDY_FIXTURE_H
#define TILELAB_TESTS_STUDY_FIXTURE_H

#include "plan/study.h"

/* Reads a text as study.yaml in a new folder, with settings. *said gets the diagnostics, which the caller frees. */
struct study *read_study(const char *text, size_t size, const char *const settings[], size_t count,
                         enum profile profile, char **said);

#endif
