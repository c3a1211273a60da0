/* `tilelab show --generations`: the results of one cell before and after a change.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COMMAND_SHOW_GENERATIONS_H
#define TILELAB_COMMAND_SHOW_GENERATIONS_H

#include "show_rows.h"

/* Prints the cells of an experiment that have results of several generations. `rows` are the shown results; the
 * archived results are added to them. */
void show_generations(const char *folder, const char *experiment, struct show_rows *rows);

#endif
