/* SQL functions on the settings of a cell, a text such as "precision=f32 n=64 tile=32", and on names of variants.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_QUERY_QUERY_SETTINGS_H
#define TILELAB_QUERY_QUERY_SETTINGS_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

/* Adds these functions to a database. Returns non-zero on failure.
 *   suits(settings, conditions)  1 if every condition holds. Conditions stand between blanks: "tile=16|32 n<=4032".
 *   matches(variant, patterns)   1 if the variant matches one of the patterns between blanks: "matmul/blas-*".
 *   pick(settings, axes)         the settings of these axes, which stand between blanks
 *   drop_axes(settings, axes)    the settings of all other axes */
int query_settings_add(sqlite3 *db);

/* Whether a text is a list of conditions as suits takes them. If not, `why` says what is wrong. */
bool query_settings_check(const char *conditions, char *why, size_t size);

#endif
