/* The known name that a mistyped word probably means.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BASE_SUGGEST_H
#define TILELAB_BASE_SUGGEST_H

#include <stddef.h>

/* The name with the smallest edit distance to `word`, for "did you mean". If none is close, the first name of which the
 * word is a part, as "shared" is of "cuda-shared". NULL if there is none. */
const char *suggest_name(const char *word, const char *const *names, size_t count);

/* The end of a message about an unknown word: "; did you mean 'NAME'?", or nothing where `near` is NULL. The text is
 * valid until the next call. */
const char *suggest_words(const char *near);

#endif
