/* The journal of a study as its CSV files show it.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COMMAND_HOLDING_STORE_H
#define TILELAB_COMMAND_HOLDING_STORE_H

#include "holding.h"
#include "table.h"
#include "results/store.h"

/* A study whose journal is open. No experiment file is needed: the rows of results.csv tell which cells are listed and
 * which generation of each cell is shown. */
struct holding_store {
    struct store *store;
    const char *study;         /* belongs to the caller */
    char (*ids)[CELL_ID_SIZE]; /* the cells of results.csv, in its order; NULL: there is no results.csv */
    size_t count;
};

/* Opens the results of a study, read-only or for holding_store_prune. The caller closes it with holding_store_close.
 * The study's name must stay until then. If the journal takes rows of changed CSV files, the run record keeps that.
 * False with one line in `why` on failure, or if the journal does not show what results.csv shows. */
bool holding_store_open(struct holding_store *held, const char *folder, const char *study, bool read_only, char *why,
                        size_t size);

/* Counts the lines of the journal by their use. */
void holding_store_take_stock(struct holding_store *held, struct store_inventory *inventory);

/* Adds the columns of a table of stocks: the study, then lines and bytes of each use and of temporary files. */
void holding_store_columns(struct table *table, const enum store_use uses[], size_t count);
/* How many lines of these uses and temporary files there are. */
size_t holding_store_lines(const struct holding *holding, const struct store_inventory *inventory,
                           const enum store_use uses[], size_t count);
/* Adds the texts of these columns to a row. A number is left out where there is nothing. */
void holding_store_add_texts(struct table *table, const struct holding *holding,
                             const struct store_inventory *inventory, const enum store_use uses[], size_t count);
/* Drops the lines of some uses, BIT(STORE_SUPERSEDED) | ..., and writes the CSV files anew. There must be a
 * results.csv. Returns 0 or an errno. */
int holding_store_prune(struct holding_store *held, unsigned uses);

void holding_store_close(struct holding_store *held);

#endif
