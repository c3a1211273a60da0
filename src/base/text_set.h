/* Texts, each of them once, in the order in which they came.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BASE_TEXT_SET_H
#define TILELAB_BASE_TEXT_SET_H

#include <stddef.h>

struct text_set {
    const char **text;
    size_t count;
    void *tree; /* of the same texts */
};

/* Takes over a text from malloc; one that is there already is freed. The set starts as {0}. */
void text_set_add(struct text_set *set, char *text);
void text_set_free(struct text_set *set);

#endif
