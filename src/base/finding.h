/* The lines of `tilelab doctor`: a finding, and what follows from it or mends it.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BASE_FINDING_H
#define TILELAB_BASE_FINDING_H

#include "variant.h"

void finding_section(FILE *out, const char *title);
/* Prints one finding; `state` is "found", "missing" or "limited". */
void finding_report(FILE *out, const char *state, const char *name, const char *format, ...) TILELAB_PRINTF(4, 5);
/* Prints what follows from the finding above, or what mends it. */
void finding_remark(FILE *out, const char *what, const char *text);
/* Prints a lack, its cost and, unless it is NULL, its remedy. */
void finding_missing(FILE *out, const char *name, const char *why, const char *cost, const char *remedy);
void finding_size(FILE *out, const char *name, int64_t bytes);

#endif
