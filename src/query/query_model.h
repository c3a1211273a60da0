/* The SQL function model(variant, settings).
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_QUERY_QUERY_MODEL_H
#define TILELAB_QUERY_QUERY_MODEL_H

#include <sqlite3.h>

/* Registers the function; returns SQLite's code. The function gives the bank model of a cell as JSON, or NULL where
 * there is no model. `settings` has the values of axes in any order, by the keys of axes.def: 'precision=f32 n=64'. The
 * function completes the cell as banks_cell does, so precision and n must be given. Axes that the variant does not
 * support may be given too. */
int query_model_add(sqlite3 *db);

#endif
