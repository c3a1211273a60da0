/* The manual page tilelab-experiment(5).
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COMMAND_KEYS_MANUAL_H
#define TILELAB_COMMAND_KEYS_MANUAL_H

#include <stdio.h>

/* Prints the page: doc/tilelab-experiment.5.in with the table of keys. */
void keys_manual_print(FILE *out);

#endif
