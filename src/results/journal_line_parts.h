/* What the parts of journal_line share: cutting a line into texts.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_RESULTS_JOURNAL_LINE_PARTS_H
#define TILELAB_RESULTS_JOURNAL_LINE_PARTS_H

#include "journal_line.h"

enum { FIELDS_MAX = 256 };

/* Cuts text into at most `most` parts; the last part holds all the rest. Returns the number of parts. */
size_t journal_line_split(const char *text, size_t length, char by, struct slice *to, size_t most);
/* Finds all fields of a line. False if there are fewer than the layout says. */
bool journal_line_fields(const struct journal_layout *layout, const char *body, size_t length,
                         struct slice field[FIELDS_MAX]);
/* Undoes the escapes of a field. `to` must have room for length + 1 bytes. Returns the length. */
size_t journal_line_unescape(struct slice field, char *to);

#endif
