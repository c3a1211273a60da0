/* Texts, each of them once.
 * SPDX-License-Identifier: MIT */
#include "text_set.h"

#include "memory.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

void text_set_add(struct text_set *set, char *text)
{
    char *const *const node = tsearch(text, &set->tree, by_text);
    if (!node || *node != text) {
        free(text);
        return;
    }
    if ((set->count & (set->count - 1)) == 0)
        set->text = memory_grow(set->text, set->count ? 2 * set->count : 1, sizeof *set->text);
    set->text[set->count++] = text;
}

void text_set_free(struct text_set *set)
{
    tdestroy(set->tree, free);
    free(set->text);
    *set = (struct text_set){NULL, 0, NULL};
}
