/* Raised letters, which mark a number in plain text.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BASE_RAISED_H
#define TILELAB_BASE_RAISED_H

#include <stdint.h>

/* The raised form of a letter from a to z in UTF-8; "" for q, which has none, and for other characters. */
const char *raised(char letter);
/* The letter whose raised form has this code, or 0. */
char raised_letter(int32_t code);

#endif
