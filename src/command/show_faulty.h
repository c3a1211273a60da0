/* The variants of an experiment that are wrong in some cell, of which no time counts.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COMMAND_SHOW_FAULTY_H
#define TILELAB_COMMAND_SHOW_FAULTY_H

#include "show_rows.h"

/* For each row the first row of the same variant, source and library that shows a fault of the variant, or
 * SHOW_FAULTY_NONE. The caller frees the array. */
#define SHOW_FAULTY_NONE SIZE_MAX
size_t *show_faulty_find(const struct show_rows *rows);
/* Prints a line for each variant that is wrong. */
void show_faulty_print(const struct show_rows *rows, const size_t *faulty);

#endif
