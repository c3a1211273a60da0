/* The marks behind the text of a number: a raised letter for each flag of the times behind it, and one for stale times.
 * SPDX-License-Identifier: MIT
 *
 * A set of marks is an integer. Bit 0 is never set, so that a truth value is not taken for a set. */
#ifndef TILELAB_QUERY_QUERY_MARKS_H
#define TILELAB_QUERY_QUERY_MARKS_H

#include "rows.h"
#include "results/result.h"

/* Adds these functions to a database, each of any number of sets, NULL among them. Returns non-zero on failure.
 *   flag(name)              the set of one flag; it takes the name, or 'stale'
 *   marked(text, set, ...)  the text with the marks of all sets; NULL where the text is NULL
 *   all_flags(set, ...)     the union; of one column, the union over the rows of a group
 *   doubt(set, ...)         1 if a mark is a doubt or a lack, or stale; else 0 */
int query_marks_add(sqlite3 *db);

/* Fills the table `marks`: ord, letter, mark (the raised letter), name, meaning. It is the legend. */
void query_marks_insert(sqlite3 *db);

/* Appends an expression for the set of a row with the columns `flags`, `unsteady` (whether the flag is lacking) and
 * `stale`. */
void query_marks_put(sqlite3_str *sql, const char *unsteady);

/* Replaces the sets in the columns that are named `flagged` or end in `_flagged`: by the marks, NULL where there are
 * none, or by a number for figures: the set, below 0 if none of its marks is a doubt. */
void query_marks_show(struct rows *rows, bool as_number);

/* The bytes of the mark that the text begins with, or 0; and of the marks that it ends with. */
size_t query_marks_begin(const char *text);
size_t query_marks_length(const char *text);

#endif
