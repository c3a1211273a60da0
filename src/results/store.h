/* Results: a journal an experiment, and two CSV files made from it.
 * SPDX-License-Identifier: MIT
 *
 * The journal is append-only: one checksummed line a finished cell, synced. The CSV files are its pure, sorted
 * function and are rewritten only when their bytes change. */
#ifndef TILELAB_RESULTS_STORE_H
#define TILELAB_RESULTS_STORE_H

#include "result.h"

#include <stdio.h>

struct store;
/* Opens the results of an experiment in a folder (data/<host>): creates the folder, takes the lock, loads the journal,
 * drops a torn tail, and proves that the folder can be written and has room. NULL with one line in `why` (exit code 4).
 * Read-only: the folder must exist, nothing is locked, checked or written; without a journal the store is empty. */
struct store *store_open(const char *folder, const char *experiment, bool read_only, char *why, size_t size);
/* The newest finished result of a cell, or NULL. Belongs to the store, and stays; sample == NULL. It is loaded by the
 * first call, so ask store_peek where status and provenance are enough. */
const struct result *store_find(const struct store *store, const char *id);
/* Status and provenance of a finished cell (either may be NULL); false if there is none. */
bool store_peek(const struct store *store, const char *id, enum status *status, char (*provenance)[17]);
/* Appends, and syncs unless the cell was skipped, which the next run would find out again. Non-zero with errno set when the medium refuses. */
int store_append(struct store *store, const struct result *result);
/* Writes <experiment>.results.csv, .samples.csv and, if any cell has a history, .history.csv, for the given ids, in the
 * order given, only where bytes change.
 * *changed says whether any did. Returns non-zero with errno set on failure. */
int store_export(struct store *store, const char (*ids)[CELL_ID_SIZE], size_t count, bool *changed);
/* results.csv of all cells in the order of the journal, to a stream; the number of cells. */
size_t store_print(struct store *store, FILE *out);
void store_close(struct store *store);

#endif
