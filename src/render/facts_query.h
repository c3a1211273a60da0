/* Facts of the data: runs the files of SQL that have them.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_RENDER_FACTS_QUERY_H
#define TILELAB_RENDER_FACTS_QUERY_H

#include "facts.h"
#include "texts.h"
#include "query/query.h"

/* Adds the facts of all studies and hosts of the query, whose hosts and published folder are set. `files` are patterns
 * of names of files with facts in the folder, in the order in which the files run; the list ends with NULL. False after
 * a message. */
bool facts_query(struct facts *facts, struct query *query, const char *folder, const char *const files[]);

/* Reads what a folder report/ has of a language: the texts that all sentences share, and the query's words, which are
 * none in English. The caller frees both. False after a message. */
bool facts_query_language(struct query *query, const char *folder, const char *language, struct texts *shared);

#endif
