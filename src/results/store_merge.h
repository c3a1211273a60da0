/* The results of several stores of one experiment, joined in one of them.
 * SPDX-License-Identifier: MIT
 *
 * Neither the order nor the number of calls changes what is shown. Where a cell has several results of one generation,
 * the rules of store.h choose. Where these rules would take the newer one, the content decides: a wrong result comes
 * before an ok one, an ok one before a failed one, and more rounds before fewer. Then comes a result without doubts
 * before one with them (flags.def), and a narrow interval before a wide one.
 */
#ifndef TILELAB_RESULTS_STORE_MERGE_H
#define TILELAB_RESULTS_STORE_MERGE_H

#include "columns.h"
#include "store.h"

/* A result that counts in its generation, as texts by column; an empty text is "". `shown`: the store shows it. */
typedef void store_merge_visitor(void *context, const char *const text[RESULT_COLUMNS], bool shown);
/* Visits the results of a store that store_merge takes. Returns non-zero with errno set if a line cannot be read;
 * EPROTO: another version of the program wrote it. */
int store_merge_visit(struct store *store, store_merge_visitor *visit, void *context);

/* The number that a physical machine gets, by its mark; 0: the row keeps its number. */
typedef int store_merge_number(const void *context, const char *mark);

/* Adds the results of `count` stores to `into`, all at once. *doubled: cells that were measured more than once, with
 * different results. Lines of `into` that do not count stay behind those that do. Returns non-zero with errno set on
 * failure; then the journal is untouched. EPROTO: another version of the program wrote a line. */
int store_merge(struct store *into, struct store *const from[], size_t count, store_merge_number *number,
                const void *context, size_t *doubled);

#endif
