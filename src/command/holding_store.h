/* The journal of a study as its CSV files show it.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COMMAND_HOLDING_STORE_H
#define TILELAB_COMMAND_HOLDING_STORE_H

#include "results/store.h"

/* A study whose journal is open. No experiment file is needed: the rows of results.csv tell which cells are listed and
 * which generation of each cell is shown. */
struct holding_store {
    struct store *store;
    char (*ids)[CELL_ID_SIZE]; /* the cells of results.csv, in its order; NULL: there is no results.csv */
    size_t count;
};

/* Opens the results of a study, read-only or for holding_store_prune. The caller closes it with holding_store_close.
 * False with one line in `why` on failure, or if the journal does not show what results.csv shows. */
bool holding_store_open(struct holding_store *held, const char *folder, const char *study, bool read_only, char *why,
                        size_t size);

/* Counts the lines of the journal by their use. */
void holding_store_take_stock(struct holding_store *held, struct store_inventory *inventory);

/* Drops the lines of some uses, BIT(STORE_SUPERSEDED) | ..., and writes the CSV files anew. There must be a
 * results.csv. Returns 0 or an errno. */
int holding_store_prune(struct holding_store *held, unsigned uses);

void holding_store_close(struct holding_store *held);

#endif
