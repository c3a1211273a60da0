/* Where the numbers of `tilelab show` come from: profile, generation, source and clock of each row.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COMMAND_SHOW_ORIGIN_H
#define TILELAB_COMMAND_SHOW_ORIGIN_H

#include "show_rows.h"

enum show_origin { ORIGIN_PROFILE, ORIGIN_GENERATION, ORIGIN_SOURCE, ORIGIN_CLOCK, ORIGINS };
extern const char *const show_origin_names[ORIGINS]; /* heads of columns: "profile", ... */

enum { ORIGIN_SIZE = 24 };
/* Writes the origin of a row: "quick"; "2"; "current", "changed since" or "unknown"; "real" or "pretended". A skipped
 * row has no number, so the text is empty. `profile` is written for a row that tells no profile. */
void show_origin_print(const struct show_rows *rows, size_t row, enum show_origin origin, const char *profile,
                       char text[ORIGIN_SIZE]);

/* Prints a line with the origins that all rows share: "profile quick, generation 2, source current, real clock".
 * Returns the set of origins in which rows differ, as bits. Prints nothing if all rows are skipped. */
unsigned show_origin_print_shared(const struct show_rows *rows, const char *profile);

#endif
