/* The results of an experiment: a journal, and CSV files made from it.
 * SPDX-License-Identifier: MIT
 *
 * The journal gets one checksummed line for each finished cell, and is synced. The CSV files follow from the journal
 * alone, and are rewritten only when their bytes change. */
#ifndef TILELAB_RESULTS_STORE_H
#define TILELAB_RESULTS_STORE_H

#include "result.h"

#include <stdio.h>

struct store;
/* Opens the results of an experiment in a folder, data/<host>. Creates the folder, takes the lock, loads the
 * journal, drops a torn tail, and proves that the folder can be written and has room. Read-only, the folder must
 * exist, and nothing is locked, checked or written; without a journal the store is empty. NULL with one line in
 * `why` on failure. */
struct store *store_open(const char *folder, const char *experiment, bool read_only, char *why, size_t size);
/* The newest result of a cell, or NULL. The store owns it and keeps it until store_close. It has no samples and no
 * history. The first call loads it, so store_peek is faster where status and provenance are enough. */
const struct result *store_find(const struct store *store, const char *id);
/* The status and the provenance of the newest result of a cell; either pointer may be NULL. False if there is none. */
bool store_peek(const struct store *store, const char *id, enum status *status, char (*provenance)[17]);
/* Appends a result to the journal, and syncs it. A skipped cell is not synced, as the next run would skip it again.
 * Returns non-zero with errno set when the medium refuses. */
int store_append(struct store *store, const struct result *result);
/* Writes <experiment>.results.csv and .samples.csv, and .history.csv if any cell has a history, for the given cells in
 * the given order. A file is written only where its bytes change; *changed tells whether any file did. Returns non-zero
 * with errno set on failure. */
int store_export(struct store *store, const char (*ids)[CELL_ID_SIZE], size_t count, bool *changed);
/* Writes the results.csv of all cells, in the order of the journal, to a stream. Returns the number of cells. */
size_t store_print(struct store *store, FILE *out);
void store_close(struct store *store);

#endif
