/* The lines of `tilelab doctor`: what a machine has or lacks, what follows from that, and its remedy.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BASE_DIAGNOSIS_H
#define TILELAB_BASE_DIAGNOSIS_H

#include "variant.h"

void diagnosis_section(FILE *out, const char *title);
/* Prints one line; `state` is "found", "missing" or "limited". */
void diagnosis_line(FILE *out, const char *state, const char *name, const char *format, ...) TILELAB_PRINTF(4, 5);
/* Prints what follows from the line above, or its remedy. */
void diagnosis_remark(FILE *out, const char *what, const char *text);
/* Prints a lack, its cost and, unless it is NULL, its remedy. */
void diagnosis_missing(FILE *out, const char *name, const char *why, const char *cost, const char *remedy);
void diagnosis_size(FILE *out, const char *name, int64_t bytes);

#endif
