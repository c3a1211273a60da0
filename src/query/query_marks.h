/* Marks in tables: names of variants whose code has changed since.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_QUERY_QUERY_MARKS_H
#define TILELAB_QUERY_QUERY_MARKS_H

#include "query_parts.h"

/* Puts a dagger behind the names of variants of which the study :experiment on :host has stale times. In a table with a
 * column `n`, these are times at the n of the row. Without the two parameters nothing is marked. A mark is put before a
 * pivot, so the rows must be as SQL gives them. Returns 0, or -1 after an error of SQLite. */
int query_marks_put(const struct query *query, struct rows *rows);

#endif
