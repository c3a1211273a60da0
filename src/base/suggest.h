/* The known name that a mistyped word probably means.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BASE_SUGGEST_H
#define TILELAB_BASE_SUGGEST_H

#include <stddef.h>

/* The name with the smallest edit distance to `word`, for "did you mean"; NULL if no name is close. */
const char *suggest_name(const char *word, const char *const *names, size_t count);

#endif
