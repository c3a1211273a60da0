/* The table of what studies hold besides their shown results: what `list --results` and `prune` print.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_QUERY_INVENTORY_TABLE_H
#define TILELAB_QUERY_INVENTORY_TABLE_H

#include "table.h"
#include "results/inventory.h"
#include "results/store.h"

/* Adds the columns: the study, then lines and bytes of each use and of temporary files. */
void inventory_table_columns(struct table *table, const enum store_use uses[], size_t count);

/* How many lines of these uses and temporary files there are. */
size_t inventory_table_lines(const struct inventory *study, const struct store_inventory *counts,
                             const enum store_use uses[], size_t count);
/* Adds the texts of these columns to a row. A number is left out where there is nothing. */
void inventory_table_add(struct table *table, const struct inventory *study, const struct store_inventory *counts,
                         const enum store_use uses[], size_t count);

#endif
