/* The file of claims is checked before anything is judged.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_QUERY_CLAIMS_CHECK_H
#define TILELAB_QUERY_CLAIMS_CHECK_H

#include "plan/study_file.h"

#include <stdbool.h>
#include <stddef.h>

/* Checks the file, and that it has the claims that the user names. Claims may name the studies `known`; NULL: any
 * study. False after messages. */
bool claims_check(const char *path, const struct study_file_names *known, char *const *names, size_t count);

#endif
