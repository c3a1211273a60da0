/* Facts: the rows of the SELECT below a line "-- facts", for texts that LaTeX completes.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_QUERY_QUERY_FACTS_H
#define TILELAB_QUERY_QUERY_FACTS_H

#include "words.h"
#include "rows.h"

#include <stdio.h>

/* Prints the names of the facts of the SQL file `path`, \factnames{NAME}{fact,...}, and for each row
 * \factrow{NAME}{number}{\setfact{fact}{word}{text}...}. NAME is the last folder and file of the path. The word is
 * empty if the value is more than one word. The text is in the language of the words. A NULL is left out. Rows without
 * a column `host` get `host` as this fact; it may be NULL. `rows` may be NULL: the file has no facts. */
void query_facts_print(const struct rows *rows, const char *path, const char *host, const struct words *words,
                       FILE *out);

#endif
