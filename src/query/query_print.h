/* The formats in which `tilelab query` prints rows.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_QUERY_QUERY_PRINT_H
#define TILELAB_QUERY_QUERY_PRINT_H

#include "words.h"
#include "rows.h"

#include <stdio.h>

struct query_print_format {
    const char *name;
    void (*print)(const struct rows *rows, FILE *out);
    enum words_use translates; /* what of the rows, before they are printed */
    bool drops_empty;          /* a column without a value is left out */
};

/* The list ends with a NULL name. */
extern const struct query_print_format query_print_formats[];

/* The format of a name, or NULL. */
const struct query_print_format *query_print_find(const char *name);

#endif
