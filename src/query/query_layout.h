/* The layout of a table: its size of type, and the widths of its columns.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_QUERY_QUERY_LAYOUT_H
#define TILELAB_QUERY_QUERY_LAYOUT_H

#include "rows.h"

#include <stdbool.h>
#include <stddef.h>

enum { QUERY_LAYOUT_COLUMNS_MAX = 64, QUERY_LAYOUT_SIZES = 4 };

/* A size of type, a command of the report's style, with the width of a thousand units in points: small fonts are
 * relatively wide. Then follow the space beside a column and the width of a line, in points. */
struct query_layout_size {
    const char *name;
    double em, separation, line;
};
extern const struct query_layout_size query_layout_sizes[QUERY_LAYOUT_SIZES];

/* Widths are in thousandths of an em of Computer Modern. */
struct query_layout {
    size_t value[QUERY_LAYOUT_COLUMNS_MAX];   /* the width of the widest value */
    size_t mean[QUERY_LAYOUT_COLUMNS_MAX];    /* the mean width of all values */
    size_t heading[QUERY_LAYOUT_COLUMNS_MAX]; /* of the heading on one line */
    size_t word[QUERY_LAYOUT_COLUMNS_MAX];    /* of the longest word of the heading */
    size_t piece[QUERY_LAYOUT_COLUMNS_MAX];   /* of the longest piece that cannot be broken, of values and heading */
    char kind[QUERY_LAYOUT_COLUMNS_MAX];      /* r or l; L: the text may be broken over lines */
    size_t size;                              /* index in query_layout_sizes */
    bool wraps;                               /* headings take several lines */
    bool breaks;                              /* so do texts of the kind L */
    double share[QUERY_LAYOUT_COLUMNS_MAX];   /* of the line, for the kind L */
};

/* Lays out a table in the largest type in which it fits a line. Shorter texts are broken too if nothing else helps and
 * `may_break` allows it. Returns whether the table fits. */
bool query_layout_make(const struct rows *rows, struct query_layout *layout, bool may_break);

/* The width of a column whose text is not broken. */
size_t query_layout_column_width(const struct query_layout *layout, size_t column);

/* The width of the first `bytes` bytes of a text. */
size_t query_layout_text_width(const char *text, size_t bytes);

#endif
