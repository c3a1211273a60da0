/* The journal of a study as its CSV files show it.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_RESULTS_INVENTORY_JOURNAL_H
#define TILELAB_RESULTS_INVENTORY_JOURNAL_H

#include "store.h"

/* A study whose journal is open. No experiment file is needed: the rows of results.csv tell which cells are listed and
 * which generation of each cell is shown. */
struct inventory_journal {
    struct store *store;
    const char *study;         /* belongs to the caller */
    char (*ids)[CELL_ID_SIZE]; /* the cells of results.csv, in its order; NULL: there is no results.csv */
    size_t count;
};

/* Opens the results of a study, read-only or for inventory_journal_prune. The caller closes it with
 * inventory_journal_close. The study's name must stay until then. If the journal takes rows of changed CSV files, the
 * run record keeps that. False with one line in `why` on failure, or if the journal does not show what results.csv
 * shows. */
bool inventory_journal_open(struct inventory_journal *held, const char *folder, const char *study, bool read_only,
                            char *why, size_t size);

/* Counts the lines of the journal by their use. */
void inventory_journal_take(struct inventory_journal *held, struct store_inventory *inventory);

/* Drops the lines of some uses, BIT(STORE_SUPERSEDED) | ..., and writes the CSV files anew. There must be a
 * results.csv. Returns 0 or an errno. */
int inventory_journal_prune(struct inventory_journal *held, unsigned uses);

void inventory_journal_close(struct inventory_journal *held);

#endif
